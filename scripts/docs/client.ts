import { join } from "node:path";
import {
  Application,
  type CommentDisplayPart,
  JSX,
  type ProjectReflection,
  ReflectionKind,
  resetReflectionID,
  TypeDocReader,
} from "typedoc";
import { header } from "./page.js";

/** The import name of each entry point, keyed by its TypeDoc name. */
const NAMES: Readonly<Record<string, string>> = {
  index: "media-catalogue",
  contract: "media-catalogue/contract",
  "contract/validate-response": "media-catalogue/validate",
  sandbox: "media-catalogue/sandbox",
};

/**
 * Writes the reference of the client with TypeDoc.
 * @throws {Error} an export has no documentation, or a link in the documentation is broken
 */
export async function buildClientReference(project: string, folder: string): Promise<void> {
  const options = join(project, "docs/typedoc.config.mjs");
  const app = await Application.bootstrap({ options }, [new TypeDocReader()]);
  const entries = (app.getEntryPoints() ?? []).map((entry) => ({
    ...entry,
    displayName: NAMES[entry.displayName] ?? entry.displayName,
  }));
  // Otherwise, ids in the pages would continue from the previous build in this process.
  resetReflectionID();
  const client = app.converter.convert(entries);
  app.validate(client);
  unlinkSources(client);
  app.renderer.hooks.on("body.begin", ({ relativeURL }) => {
    const root = relativeURL("../index.html")!.replace("/index.html", "");
    return JSX.createElement(JSX.Raw, { html: header(root) });
  });
  highlightFully(app);
  await app.generateDocs(client, folder);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("The client reference is incomplete: see the warnings above.");
  }
}

/**
 * Keeps only the text of each link from the README or a document to a source file. TypeDoc would publish the file,
 * and a page such as that of the browser example does not work there.
 */
function unlinkSources(client: ProjectReflection): void {
  const documents = client.getReflectionsByKind(ReflectionKind.Document);
  const contents = documents.flatMap((each) => (each.isDocument() ? [each.content] : []));
  for (const parts of [client.readme ?? [], ...contents]) {
    parts.forEach((part, index) => {
      if (part.kind !== "relative-link" || !/\.(html|m?[jt]s|yml)$/.test(part.text)) return;
      const [before, after] = [parts[index - 1], parts[index + 1]] as CommentDisplayPart[];
      before!.text = before!.text.replace(/\[([^[]*)\]\($/, "$1");
      after!.text = after!.text.replace(/^\)/, "");
      parts[index] = { kind: "text", text: "" };
    });
  }
}

/**
 * The highlighter gives up on a line after 500 ms. On a busy machine, compiling the grammar for the first sample can
 * take that long. Each sample is highlighted twice, so the pages do not depend on the speed of the machine.
 */
function highlightFully({ renderer: { markedPlugin } }: Application): void {
  const highlight = markedPlugin.getHighlighted.bind(markedPlugin);
  markedPlugin.getHighlighted = (...sample) => {
    highlight(...sample);
    return highlight(...sample);
  };
}
