import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { redocly } from "../redocly.js";
import { shownDescription } from "./description.js";
import { HASHES, standAlone } from "./page.js";

const own = fileURLToPath(new URL("../..", import.meta.url));

/** What of a page is other while its description is edited. */
export interface PageOptions {
  /** Run in the page, after the script of the page. */
  script?: string;
  /** What the page may connect to, in the words of a Content-Security-Policy. */
  connect?: string;
}

/** The page could not be built; the message says why, in the words of Redocly where it refused. */
export class PageError extends Error {}

/**
 * Writes `index.html`, the reference of the service, to a folder.
 * @returns one line that says so
 * @throws {DescriptionError} the description cannot be read
 * @throws {PageError} Redocly could not make a page of it
 */
export async function buildReference(folder: string, project: string): Promise<string> {
  const page = await referencePage(project);
  const file = join(folder, "index.html");
  await mkdir(folder, { recursive: true });
  await writeFile(file, page);
  return `wrote ${relative(process.cwd(), file)} (${(Buffer.byteLength(page) / 1e6).toFixed(1)} MB)`;
}

/**
 * The reference of the service as one page, the same bytes each time.
 * @throws {DescriptionError} the description cannot be read
 * @throws {PageError} Redocly could not make a page of it
 */
export async function referencePage(
  project: string,
  { script = "", connect = "'none'" }: PageOptions = {},
): Promise<string> {
  const manifest = await readFile(join(project, "package.json"), "utf8").catch((cause: Error) => {
    throw new PageError(`${cause.message}; give --root the folder of the project`);
  });
  const { version } = JSON.parse(manifest) as { version: string };
  const description = await shownDescription(project, version);
  const { title, summary } = description.info;
  await mkdir(join(own, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(own, ".tmp/docs-"));
  try {
    const [input, output] = [join(folder, "catalogue.json"), join(folder, "index.html")];
    await writeFile(input, JSON.stringify(description));
    const template = {
      policy: policy(connect),
      summary,
      favicon: `data:image/svg+xml,${encodeURIComponent(await asset("favicon.svg"))}`,
      head: `<style>${await asset("theme.css")}</style><script>${await asset("page.js")}${script}</script>`,
    };
    await redocly(
      ...["build-docs", input, "--output", output, "--inlineBundle"],
      ...["--title", `${title} ${description.info.version}`],
      ...["--template", join(own, "docs/template.html")],
      ...Object.entries(template).map(([name, text]) => `--templateOptions.${name}=${text}`),
    ).catch(({ stderr }: { stderr: string }) => {
      throw new PageError(stderr.trim());
    });
    return standAlone(await readFile(output, "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function asset(name: string): Promise<string> {
  return readFile(join(own, "docs", name), "utf8");
}

/** Nothing is loaded, and nothing runs but the scripts of the page; the styles of Redoc have no fixed text. */
function policy(connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${HASHES}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
