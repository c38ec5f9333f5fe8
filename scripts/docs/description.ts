import { join } from "node:path";
import { readDescription, type OpenApi } from "../generate/description.js";
import { exampleCalls } from "./calls.js";
import { withLinks } from "./prose.js";
import { tagOf } from "./links.js";
import { showMarks } from "./marks.js";
import { codeSamples } from "./samples.js";

const SERVER =
  "The sandbox, which npx media-catalogue sandbox starts. The base URL of a deployment takes its place.";

/** What of a description is written anew for the page. */
interface Shown extends OpenApi {
  info: { title: string; version: string; summary: string; description: string };
  servers: {
    url: string;
    description: string;
    variables?: { base_url: { default: string } };
  }[];
  tags: { name: string; description: string }[];
}

/** A description as the page shows it: that of the project, with samples, and its gaps in plain sight. */
export async function shownDescription(project: string, packageVersion: string): Promise<Shown> {
  const description = await readDescription(join(project, "openapi/catalogue.yaml"));
  const document = description.document as Shown;
  const baseUrl = document.servers[0]!.variables!.base_url.default;
  for (const call of await exampleCalls(description, join(project, "test/recordings"))) {
    const { path, method } = call.operation;
    Object.assign(document.paths[path]![method]!, {
      "x-codeSamples": await codeSamples(call, baseUrl),
    });
  }
  // A page would read a server that is a variable alone as an address below its own.
  document.servers = [{ url: baseUrl, description: SERVER }];
  const { info } = document;
  info.description = [
    `Description ${info.version} · package \`media-catalogue\` ${packageVersion} · [TypeScript reference](./client/index.html)`,
    withLinks(info.description, description),
  ].join("\n\n");
  const used = new Set(
    description.operations.map(({ path, method }) => tagOf(document.paths[path]![method]!)),
  );
  document.tags = document.tags.filter(({ name }) => used.has(name));
  showMarks(document);
  return document;
}
