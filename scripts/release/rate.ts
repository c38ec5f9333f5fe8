import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isMap, isSeq, parseDocument, visit } from "yaml";
import { redocly } from "../redocly.js";
import { rate, type Change, type Reported } from "./ratings.js";
import { ReleaseError } from "./version.js";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Compares two versions of the description and rates each change, the most severe first.
 * @throws {ReleaseError} one of them is not valid YAML, or Redocly cannot compare them
 */
export async function compare(base: string, revision: string): Promise<Change[]> {
  const documents = {
    base: parsed("the released description", base),
    revision: parsed("openapi/catalogue.yaml", revision),
  };
  const reported = await diff(inlined(base), inlined(revision));
  const changes = reported.map((change): Change => {
    const { kind, typeName, property = "" } = change;
    const { line, pointer } = (change.revision ?? change.base)!;
    const file = change.revision ? "openapi/catalogue.yaml" : "the released description";
    const what = `${kind} ${typeName} ${property}`.trim();
    return { what, place: `${file}:${line} ${pointer}`, ...rate(change, documents) };
  });
  if (changes.length === 0 && base !== revision) {
    // Redocly does not compare examples, gaps, comments, or the order of keys.
    const what = "examples, gaps, comments, or order";
    return [{ impact: "patch", what, place: "openapi/catalogue.yaml", why: "text" }];
  }
  const severity = ["major", "minor", "patch"];
  return changes.toSorted((a, b) => severity.indexOf(a.impact) - severity.indexOf(b.impact));
}

async function diff(base: string, revision: string): Promise<Reported[]> {
  await mkdir(join(project, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(project, ".tmp/diff-"));
  try {
    const files = [join(folder, "released.yaml"), join(folder, "catalogue.yaml")] as const;
    await Promise.all([writeFile(files[0], base), writeFile(files[1], revision)]);
    const { stdout } = await redocly(
      ...["diff", ...files.map((file) => relative(project, file))],
      ...["--config", "scripts/release/diff.redocly.yaml", "--format", "json"],
      ...["--fail-on", "none"],
    );
    return (JSON.parse(stdout) as { changes: Reported[] }).changes;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    if (stderr === undefined) throw error;
    throw new ReleaseError(`redocly diff failed; run npm run lint\n${stderr.trim()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces `allOf` around a single `$ref` with that `$ref`. They mean the same, but Redocly compares their structure.
 * Every line keeps its number.
 */
function inlined(text: string): string {
  let result = text;
  // The edits run from the end to the start, so that the ranges before an edit stay valid.
  const edits: [start: number, end: number, reference: string][] = [];
  visit(parseDocument(text), {
    Pair(_, { key, value }) {
      if (String(key) !== "allOf" || !isSeq(value) || value.items.length !== 1) return;
      const [only] = value.items;
      if (!isMap(only) || only.items.length !== 1 || !only.has("$ref")) return;
      const [start] = (key as { range: [number, number, number] }).range;
      edits.unshift([start, value.range![1], JSON.stringify(only.get("$ref"))]);
    },
  });
  for (const [start, end, reference] of edits) {
    const lines = text.slice(start, end).replaceAll(/[^\n]/g, "");
    result = `${result.slice(0, start)}$ref: ${reference}${lines}${result.slice(end)}`;
  }
  return result;
}

function parsed(name: string, text: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new ReleaseError(`${name} is not valid YAML: ${error.message}`);
  return document.toJS();
}
