import { join } from "node:path";
import {
  Application,
  type Comment,
  type CommentDisplayPart,
  CommentTag,
  Converter,
  type DeclarationReflection,
  PageEvent,
  type ProjectReflection,
  ReflectionKind,
  resetReflectionID,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";
import type { Gap } from "../generate/read-operations.js";
import type { Call } from "./calls.js";
import { fillGaps, gapUrl } from "./gaps.js";
import { showMethods } from "./methods.js";
import { FlatRouter, SiteTheme } from "./theme.js";

/** The title of each document whose heading is the name of the package, keyed by its TypeDoc name. */
const DOCUMENTS: Readonly<Record<string, string>> = { README: "Guide", CHANGELOG: "Changelog" };

/** Stands for the URL of a source file that a document links to. */
const SOURCE = "source:";

/**
 * Writes every page except the service reference with TypeDoc.
 * @throws {Error} an export has no documentation, or a link in the documentation is broken
 */
export async function buildPages(
  root: string,
  folder: string,
  calls: readonly Call[],
  gaps: readonly Gap[],
): Promise<void> {
  const options = join(root, "docs/site/typedoc.config.mjs");
  const app = await Application.bootstrap({ options }, [new TypeDocReader(), new TSConfigReader()]);
  // Otherwise, ids in the pages would continue from the previous build in this process.
  resetReflectionID();
  app.renderer.defineRouter("flat", FlatRouter);
  app.renderer.defineTheme("site", SiteTheme);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    removeSchemas(project);
    moveShared(project);
    nameModules(project);
    fillDocuments(project, (text) => fillGaps(text, gaps, calls));
    groupMethods(project);
    linkComments(project, calls);
    showMethods(project);
  });
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = correct(page.contents ?? "");
  });
  highlightTwice(app);
  const reflections = await app.convert();
  if (reflections) {
    app.validate(reflections);
    await app.generateDocs(reflections, folder);
  }
  if (!reflections || app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("The client reference is incomplete: see the warnings above.");
  }
}

/** Names each module as it is imported. */
function nameModules(project: ProjectReflection): void {
  for (const each of project.children!) {
    const path = each.name.replace("contract/validate-response", "validate");
    each.name = path === "index" ? "media-catalogue" : `media-catalogue/${path}`;
  }
}

/** Removes the types for openapi-fetch. Readers need the models and methods made from them. */
function removeSchemas(project: ProjectReflection): void {
  const names = new Set(["components", "describedOperations", "paths"]);
  for (const each of project.children!.flatMap(({ children = [] }) => [...children])) {
    if (names.has(each.name)) project.removeReflection(each);
  }
}

/** TypeDoc puts types that two modules export into the one with `export *`; they belong to the first module. */
function moveShared(project: ProjectReflection): void {
  const main = project.children![0]!;
  for (const reference of (main.children ?? []).filter((each) => each.isReference())) {
    const target = reference.getTargetReflectionDeep() as DeclarationReflection;
    const other = target.parent as DeclarationReflection;
    main.removeChild(reference);
    other.removeChild(target);
    main.addChild(target);
    other.addChild(reference);
    [target.parent, reference.parent] = [main, other];
  }
}

/** Fills in each document, and names it for its heading. */
function fillDocuments(project: ProjectReflection, fill: (text: string) => string): void {
  for (const each of project.documents ?? []) {
    for (const part of each.content) {
      if (part.kind === "text") part.text = fill(part.text);
      // TypeDoc would publish the file, and a page such as that of the browser example does not work there.
      const isSource = part.kind === "relative-link" && /\.(html|m?[jt]s)$/.test(part.text);
      if (isSource && part.target !== undefined)
        Object.assign(part, { kind: "text", text: SOURCE });
    }
    const [, heading] = /^# (.*)$/m.exec(each.content.map(({ text }) => text).join("")) ?? [];
    each.name = DOCUMENTS[each.name] ?? heading!;
  }
}

/** Shows the groups of methods apart from the models. */
function groupMethods(project: ProjectReflection): void {
  for (const each of project.getReflectionsByKind(ReflectionKind.Interface)) {
    const tag = new CommentTag("@group", [{ kind: "text", text: "Methods" }]);
    if (each.name.endsWith("Methods")) each.comment?.blockTags.push(tag);
  }
  // Otherwise a search for an operation would first find its row in the table of operations.
  for (const each of project.getReflectionsByKind(ReflectionKind.Property)) {
    if (each.name.includes(".")) (each as DeclarationReflection).relevanceBoost = 0;
  }
}

/** Links the gaps and the operations that comments name. */
function linkComments(project: ProjectReflection, calls: readonly Call[]): void {
  const operations = new Map(
    calls.map(({ operation: { method, path }, link }) => [
      `\`${method.toUpperCase()} ${path}\``,
      link,
    ]),
  );
  const linked = (part: CommentDisplayPart): CommentDisplayPart => {
    const link = operations.get(part.text);
    if (link) return { kind: "text", text: `[${part.text}](${link})` };
    if (part.kind !== "text") return part;
    const text = part.text.replaceAll(/\bG\d\d\b/g, (id) => `[${id}](${gapUrl(id)})`);
    return { kind: "text", text };
  };
  for (const { comment } of Object.values(project.reflections) as { comment?: Comment }[]) {
    if (comment) comment.summary = comment.summary.map(linked);
  }
}

/** Adds landmarks to a page, and removes the links that do not work: those inside summaries, and those to source files. */
function correct(html: string): string {
  return html
    .replace('<div class="col-content">', '<div class="col-content" id="content" role="main">')
    .replace(
      '<div class="page-menu">',
      '<div class="page-menu" role="navigation" aria-label="Page">',
    )
    .replaceAll(/<a [^>]*class="tsd-anchor-icon"(?:(?!<\/a>).)*<\/a>(?=<\/h\d><\/summary>)/g, "")
    .replaceAll(/<a href="source:">(.*?)<\/a>/g, "$1");
}

/**
 * The highlighter gives up on a line after 500 ms, which a busy machine may need to compile the grammar for the first
 * sample. Each sample is highlighted twice, so the pages do not depend on the speed of the machine.
 */
function highlightTwice({ renderer: { markedPlugin } }: Application): void {
  const highlight = markedPlugin.getHighlighted.bind(markedPlugin);
  markedPlugin.getHighlighted = (...sample) => (highlight(...sample), highlight(...sample));
}
