import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { compileDocument } from "../../scripts/description/compile.js";
import { countProperties, listProperties } from "../../scripts/evidence/count-properties.js";
import { findReasons, isLoose, listDeviations } from "../../scripts/evidence/deviations.js";
import {
  isCurrent,
  matchEvidence,
  readAllEvidence,
} from "../../scripts/evidence/evidence-files.js";
import { positionOf, type Yaml } from "../../scripts/description/yaml.js";
import { CATALOGUE, FULL } from "../../scripts/shared/paths.js";
import {
  getAtPointer,
  lastKey,
  parentPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { combined, schemaAt } from "../../src/openapi/schema.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";

const exchanges = readAllEvidence(root);
const catalogue = parse(readFileSync(join(root, CATALOGUE), "utf8")) as Json;
const specified = new Map(
  listProperties(compileDocument({ document: catalogue, positions: {} })).map((each) => [
    each.pointer,
    each,
  ]),
);

/**
 * Lists the properties of responses that are optional or nullable without a reason, and the properties that are stricter
 * than a recording since 2023. A reason is such a recording, `x-because`, the specification, an open object, or for an
 * optional property that `append_to_response` adds it.
 * @returns texts such as `openapi/full.yaml:120: Movie.runtime is nullable, but …`
 */
export function findUnexplained(yaml: Yaml): string[] {
  const { document } = yaml;
  const description = compileDocument(yaml);
  const evidence = matchEvidence(exchanges.filter(isCurrent), description);
  const counts = countProperties(evidence, description);
  const shown = new Set(counts.flatMap(({ declaring }) => declaring));
  const appended = findAppended(description);
  const problems = new Set<string>();
  const report = (pointer: string, text: string) =>
    problems.add(`${FULL}:${positionOf(yaml, pointer)[0]}: ${text}`);
  const unshown = listProperties(description).filter(({ pointer }) => !shown.has(pointer));
  const needed = new Map<string, number>();
  for (const count of [...counts, ...unshown]) {
    const { pointer } = count;
    // `npm run generate -- --add-missing` copies a schema with this suffix.
    const own = specified.get(pointer.replace(/AsSpecified\d*(?=\/)/, ""));
    const deviations = listDeviations(count);
    const isOpen = schemaAt(document, parentPointer(parentPointer(pointer)))["x-open"] === true;
    const loose = deviations.filter(isLoose).filter(({ kind }) => {
      if (isOpen) return false;
      if (kind === "nullable") return !own?.isNullable;
      return !(own ? own.requiredAt === undefined : appended.has(pointer));
    });
    const leniencies = deviations.filter(isLoose).length;
    needed.set(pointer, Math.max(needed.get(pointer) ?? 0, leniencies));
    for (const each of deviations) if (!isLoose(each)) report(each.pointer, each.text);
    for (const { text } of loose.slice(findReasons(document, pointer).length))
      report(pointer, `${text}; make it strict, or add the reason to x-because`);
  }
  for (const [pointer, leniencies] of needed)
    if ([getAtPointer(document, `${pointer}/x-because`) ?? []].flat().length > leniencies)
      report(
        pointer,
        `remove x-because from ${lastKey(pointer)}: it is strict, or recordings show it`,
      );
  return [...problems].toSorted();
}

/** Finds the properties that `append_to_response` adds: `x-appends` of the parameter names them. */
function findAppended({ document, operations }: Description): Set<string> {
  const found = operations.flatMap(({ parameters, responses }) => {
    const names = new Set(
      parameters.flatMap(({ pointer }) =>
        Object.values((getAtPointer(document, `${pointer}/x-appends`) ?? {}) as object),
      ),
    );
    const schemas = responses
      .flatMap(({ content }) => content.flatMap(({ schema = "" }) => combined(document, schema)))
      .flatMap(({ pointer, schema }) =>
        Object.keys(schema.properties ?? {}).map((name) => ({ name, pointer })),
      );
    return schemas
      .filter(({ name }) => names.has(name))
      .map(({ name, pointer }) => `${pointer}/properties${toReferenceToken(name)}`);
  });
  return new Set(found);
}
