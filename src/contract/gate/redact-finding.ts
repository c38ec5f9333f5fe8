import { createRedactor } from "../../client/redact.js";
import { isPlainIdentifier } from "../engine/format-value.js";
import { createNameRedactor, listDeclaredNames } from "../engine/sensitive.js";
import type { Finding } from "../engine/types.js";
import type { Description } from "../../openapi/description.js";

/**
 * Creates a function that redacts the parts of a finding that come from the input. File paths stay unchanged.
 * @param secrets the sensitive values in all exchanges
 */
export function createFindingRedactor(
  secrets: ReadonlySet<string>,
  description: Pick<Description, "document">,
): <Item extends Finding>(finding: Item) => Item {
  const redact = createRedactor(secrets);
  // Prose can contain any word, such as a user name that is a word.
  const redactProse = createRedactor([...secrets].filter((each) => !isPlainIdentifier(each)));
  const declared = listDeclaredNames(secrets, description);
  const redactPart = createNameRedactor(secrets, declared);
  const redactName = (name: string) =>
    secrets.has(name) && !declared.has(name) ? redact(name) : redactPart(name);
  const redactPath = (path: string) => redactProse(path.split("/").map(redactName).join("/"));
  const redactNames = (text: string) =>
    redactProse(text.replace(/(?<=`)[^`\s]+(?=`)/g, redactPath));
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
