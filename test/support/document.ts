import { readFileSync } from "node:fs";
import { besideProject } from "./shared.js";

/** The name of the source document for `itWith`. */
export const DOCUMENT = "source/media-catalogue-interface.md";

/** The source document, the authority for every fact in the description. */
export function sourceDocument(): string {
  return readFileSync(besideProject(DOCUMENT), "utf8");
}

/** The text under the heading that starts with these words. */
export function section(heading: string): string {
  const parts = sourceDocument().split(/^#+ /m);
  const found = parts.filter((part) => part.startsWith(heading));
  if (found.length !== 1) throw new Error(`${found.length} sections start with ${heading}`);
  return found[0]!.slice(found[0]!.indexOf("\n")).trim();
}

/** The rows of the first table in a text, without its header. A cell can contain `|` without spaces around it. */
export function tableRows(text: string): string[][] {
  const rows = text.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) => row.slice(2, -2).split(" | "));
}

/**
 * The fields that a text lists, as rows `name: type`: `adult (boolean), genres (array of {id integer, name string})` is
 * `adult: boolean`, `genres[].id: integer`, `genres[].name: string`. A list ends at its period.
 */
export function listedFields(text: string, prefix = ""): string[] {
  const [list] = splitOutside(text.trim(), ".");
  return splitOutside(list!, ",").flatMap((field) => {
    const [, name, said] = /^(\w+)(?: \(?(.*?)\)?)?$/.exec(field.trim())!;
    return fieldRows(`${prefix}${name}`, said ?? "");
  });
}

/** The rows of one field, parsed from the text about its type. */
export function fieldRows(name: string, said: string): string[] {
  const [, array, members] = /^(array of )?\{(.*)\}/.exec(said) ?? [];
  if (members !== undefined) return listedFields(members, `${name}${array ? "[]" : ""}.`);
  const type = /^(?:date )?(string\|null|\w+\[\]|string|integer|number|boolean|array)(?!\w)/.exec(
    said,
  );
  // `spoken_languages` names the fields of a language without their types; `belongs_to_collection` is not known.
  const known = type?.[1] ?? (said === "" ? "string" : "any");
  const form = said.startsWith("date ") ? " date" : name.endsWith("_path") ? " path" : "";
  return [`${name}: ${known}${form}`];
}

/** Splits at separators outside all brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    depth += "({".includes(character) ? 1 : ")}".includes(character) ? -1 : 0;
    if (depth === 0 && character === separator) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}
