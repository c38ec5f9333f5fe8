import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redocly } from "../redocly.js";
import { aboutGap, gapFragment, gapLink, gapsOf, marksWithin, type Gap } from "./gaps.js";
import type { Description, Operation } from "./operations.js";
import { asset } from "./page.js";
import { codeSamples, firstCall, SANDBOX } from "./samples.js";

const LISTENS = "A sandbox for other languages, npx media-catalogue sandbox, listens on";

const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="16"><text y="12" fill="#2f7fd0" font-family="sans-serif" font-size="12" font-weight="bold">Redoc</text></svg>',
)}`;

/** Builds the reference of the service with Redoc. The page still has the placeholders of `docs/template.html`. */
export async function servicePage(
  description: Description,
  operations: readonly Operation[],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "service-page-"));
  const [input, output] = [join(folder, "catalogue.json"), join(folder, "service.html")];
  try {
    await writeFile(input, JSON.stringify(await shownDescription(description, operations)));
    await redocly(
      ...["build-docs", input, "--output", output, "--inlineBundle"],
      ...["--title", `${description.info.title} ${description.info.version}`],
      ...["--template", asset("template.html")],
    );
    const page = await readFile(output, "utf8");
    // Redoc renders links for a server that has these paths, and loads its logo from a CDN. Its script does neither.
    return page
      .replaceAll(/ href="\/(?!\/)/g, ' href="#/')
      .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/g, LOGO);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A copy of the description for readers: with samples, titles and notes about gaps, without what only tools need. */
export async function shownDescription(
  description: Description,
  operations: readonly Operation[],
): Promise<Description> {
  const shown = structuredClone(description);
  shown.info.description = shownProse(description, operations);
  // Redoc shows it in the panel beside the introduction.
  shown.servers = [
    {
      url: SANDBOX,
      description: `First call, without a server:\n\n${firstCall(operations)}\n\n${LISTENS}`,
    },
  ];
  for (const operation of operations) {
    const described = shown.paths[operation.path]![operation.method.toLowerCase()]!;
    const { requestBody, responses } = described as { requestBody?: object; responses?: object };
    const successes = Object.entries(responses ?? {}).filter(([status]) => status.startsWith("2"));
    const notes = noteOf(marksWithin(shown, [requestBody, successes]));
    const button = `<button type="button" class="try" data-try="${operation.id}">Try it</button>`;
    described.description = [
      described.description.trim(),
      ...notes,
      ...(operation.method === "GET" ? [button] : []),
    ].join("\n\n");
    described["x-codeSamples"] = await codeSamples(operation);
    described.servers = [{ url: SANDBOX, description: "The offline sandbox" }];
  }
  const tags = new Set(
    Object.values(shown.paths).flatMap((item) => Object.values(item).flatMap((each) => each.tags)),
  );
  shown.tags = shown.tags.filter(({ name }) => tags.has(name));
  for (const tag of shown.tags) tag["x-displayName"] ??= titleCase(tag.name);
  for (const [name, schema] of Object.entries(shown.components.schemas)) schema.title ??= name;
  simplify(shown);
  return shown;
}

/** The introduction, with its list of gaps as sections and with links to the operations and gaps that it names. */
function shownProse(description: Description, operations: readonly Operation[]): string {
  const [before = "", ...rest] = description.info.description.split(/^## What this .*$/m);
  const [intro = ""] = rest.join("").split(/^1\. /m);
  const links = new Map(
    operations.flatMap(({ id, method, path, link }) => [
      [id, link] as const,
      [`${method} ${path}`, link] as const,
    ]),
  );
  const linked = `${before}# Gaps${intro}`
    .replaceAll(/`([^`\n]+)`/g, (code, name: string) =>
      links.has(name) ? `[${code}](${links.get(name)})` : code,
    )
    .replaceAll(/\bG\d\d\b/g, (id) => `[${id}](${gapFragment(id)})`);
  const sections = gapsOf(description, operations).map(({ id, text, operations: affected }) => {
    const { title, client } = aboutGap(id);
    return `## ${id} ${title}\n\n${text}.\n\n${client}\n\nAffects ${extent(affected, operations)}.`;
  });
  return [linked.trim(), ...sections].join("\n\n");
}

/** The operations that a gap affects, as links; if it affects nearly all, the ones that it spares. */
function extent(affected: readonly Operation[], operations: readonly Operation[]): string {
  const spared = operations.filter((each) => !affected.includes(each));
  const links = (some: readonly Operation[]) =>
    some.map(({ id, link }) => `[${id}](${link})`).join(", ");
  if (affected.length === 0 || spared.length === 0) return "every operation";
  return spared.length < 4 ? `every operation except ${links(spared)}` : links(affected);
}

/** Removes formats, patterns and limits that only tools need, and turns the marks of gaps into notes, in place. */
function simplify(node: unknown, key?: string): void {
  if (typeof node !== "object" || node === null || key === "examples") return;
  const each = node as Record<string, unknown>;
  // The keys of `properties` are field names, which may be spelled like a keyword.
  if (key !== "properties" && !Array.isArray(node)) {
    // Redoc calls a union without a type "any".
    if (each.oneOf) each.type ??= "object";
    if (["int64", "double"].includes(String(each.format))) delete each.format;
    for (const name of ["minItems", "minLength"]) if (each[name] === 0) delete each[name];
    delete each.pattern;
    const text = typeof each.description === "string" ? each.description : "";
    const notes = noteOf((each["x-not-specified"] ?? []) as Gap[]);
    delete each["x-not-specified"];
    if (text && !("info" in each)) {
      each.description = [text.trim().replace(/; one path segment/, ""), ...notes].join("\n\n");
    }
  }
  for (const [name, value] of Object.entries(each))
    simplify(value, key === "properties" ? "" : name);
}

/** One line that links the gaps; none without a gap. */
function noteOf(gaps: readonly Gap[]): string[] {
  return gaps.length > 0
    ? [`**Not specified:** ${gaps.map(({ id }) => gapLink(id)).join(", ")}`]
    : [];
}

function titleCase(name: string): string {
  return name
    .split(" ")
    .map((word) => (word === "TV" ? word : `${word[0]}${word.slice(1).toLowerCase()}`))
    .join(" ");
}
