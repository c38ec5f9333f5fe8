import { createReadStream, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { getAtPointer } from "../../openapi/pointer.js";
import { isObject } from "../../openapi/schema.js";
import type { Json } from "../../openapi/description.js";
import { readFolder } from "./list-files.js";

/**
 * Embeds the bodies of a HAR entry that Playwright wrote to files in the folder of the HAR. Changes the entry, but not
 * if such a file is missing or cannot be read.
 * @param har the path to the HAR
 */
export function embedBodies(entry: Json, har: string): void {
  for (const pointer of ["/request/postData", "/response/content"]) {
    const content = getAtPointer(entry, pointer);
    if (!isObject(content)) continue;
    const { _file: name } = content;
    if (typeof name !== "string" || name !== basename(name)) continue;
    const text = readBase64(join(dirname(har), name));
    if (text === undefined) continue;
    delete content["_file"];
    Object.assign(content, { text, encoding: "base64" });
  }
}

function readBase64(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "base64") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a function that checks whether a file contains a body of a HAR in the same folder. Playwright can write bodies
 * to separate files.
 */
export function createAttachmentFinder(): (path: string) => Promise<boolean> {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();
  return async (path) => {
    const folder = dirname(path);
    const names = folders.get(folder) ?? listAttachments(folder);
    folders.set(folder, names);
    return (await names).has(basename(path));
  };
}

/** Lists the files to which the HAR files in a folder refer. */
async function listAttachments(folder: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const files = (readFolder(folder) ?? []).filter(({ name }) => /\.har$/i.test(name));
  for (const { name } of files) {
    try {
      for await (const found of findAttachments(join(folder, name))) names.add(found);
    } catch {
      // A HAR that cannot be read is reported as an input of its own.
    }
  }
  return names;
}

async function* findAttachments(har: string): AsyncGenerator<string> {
  let rest = "";
  for await (const part of createReadStream(har, "latin1")) {
    const text = rest + String(part);
    for (const [, found = ""] of text.matchAll(/"_file"\s*:\s*"([^"\\]{1,255})"/g)) yield found;
    rest = text.slice(-512);
  }
}
