import { createRedactor } from "../../client/redact.js";
import { isPlainIdentifier } from "../engine/format-value.js";
import type { Finding } from "../engine/types.js";
import type { Description, Json } from "../../openapi/description.js";
import { walkPointers } from "../../openapi/document.js";
import { lastKey, parentPointer } from "../../openapi/pointer.js";

/**
 * Creates a function that redacts the parts of a finding that come from the input. File paths stay unchanged.
 * @param secrets the sensitive values in all exchanges
 */
export function createFindingRedactor(
  secrets: ReadonlySet<string>,
  { document }: Pick<Description, "document">,
): <Item extends Finding>(finding: Item) => Item {
  const redact = createRedactor(secrets);
  // A word such as `original`, which can be a user name, is also a part of names such as `original_title`. Redacting the
  // word in a name would hide the location of the finding, and accepted entries would no longer match.
  const redactPart = createRedactor([...secrets].filter((each) => !isPlainIdentifier(each)));
  const hasWord = [...secrets].some(isPlainIdentifier);
  const declared = hasWord ? declaredNamesIn(document) : new Set<string>();
  const redactName = (name: string) =>
    secrets.has(name) && !declared.has(name) ? redact(name) : redactPart(name);
  const redactPath = (path: string) => redactPart(path.split("/").map(redactName).join("/"));
  const redactNames = (text: string) => redactPart(text.replace(/(?<=`)[^`\s]+(?=`)/g, redactPath));
  const redactValue = (text: string) => {
    if (text.startsWith("/")) return redactPath(text);
    return /^["\d-]/.test(text) ? redact(text) : redactNames(text);
  };
  return (finding) => ({
    ...finding,
    title: redactNames(finding.title),
    fix: redactNames(finding.fix),
    pointer: redactPath(finding.pointer),
    pointerTemplate: redactPath(finding.pointerTemplate),
    value: redactValue(finding.value),
    occurrences: finding.occurrences.map((each) => ({
      ...each,
      pointer: redactPath(each.pointer),
      value: redactValue(each.value),
      ...(each.actual !== undefined && { actual: redactName(redactValue(each.actual)) }),
    })),
  });
}

/** Returns all property names that a description declares. */
function declaredNamesIn(document: Json): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pointer of walkPointers(document))
    if (lastKey(parentPointer(pointer)) === "properties") names.add(lastKey(pointer));
  return names;
}
