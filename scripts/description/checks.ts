import { listContained } from "../../src/openapi/keywords.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { matchPath } from "../../src/openapi/route.js";
import { isFreeForm, schemaAt } from "../../src/openapi/schema.js";
import { ABOUT_OBJECTS, reachInPlace } from "./schemas.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { validatorName } from "./validator-name.js";

/** A function that reports a problem at a pointer into the document. */
type ReportProblem = (pointer: string, text: string) => void;

const AS_STRING = "replace its schema with `type: string`";

/** Reports what Redocly's rules in `scripts/redocly.yaml` cannot say about operations. */
export function checkOperations(
  document: Json,
  operations: readonly Operation[],
  report: ReportProblem,
): void {
  for (const [index, each] of operations.entries()) {
    const name = validatorName(each.id);
    const other = operations.slice(0, index).find(({ id }) => validatorName(id) === name);
    if (each.id !== "" && other) {
      const rule =
        other.id === each.id
          ? `${other.method} ${other.path} has the same operationId`
          : `the validator of ${other.id} is also named ${name}`;
      const fix = "choose another group or method name";
      report(`${each.pointer}/operationId`, `operationId ${each.id}: ${rule}; ${fix}`);
    }
    checkParameters(document, each, report);
    for (const header of each.responses.flatMap(({ headers }) => headers))
      checkHeader(document, header, report);
  }
}

/** Reports a header that is an object. The gate reads a header as a scalar or as a list. */
function checkHeader(
  document: Json,
  { name, pointer, schema }: SchemaHolder,
  report: ReportProblem,
): void {
  if (schema !== undefined && isStructured(document, schema))
    report(
      pointer,
      `the header ${name} contains an object, which the gate cannot read; ${AS_STRING}`,
    );
}

function checkParameters(
  document: Json,
  { pointer: operation, parameters }: Operation,
  report: ReportProblem,
): void {
  const inQuery = parameters.filter((each) => each.in === "query");
  for (const each of parameters) {
    const { name, pointer, schema } = each;
    if (schema === undefined) continue;
    const problem = problemWithParameter(document, each);
    checkParts(document, each, report);
    if (problem !== undefined) report(pointer, problem);
    else if (isFreeForm(document, each) && inQuery.length > 1) {
      const rule = "and therefore must be the only query parameter";
      const fix = "remove it from this operation, or remove the other query parameters";
      report(operation, `the object ${name} stands for parameters of any name, ${rule}; ${fix}`);
    }
  }
}

/** Reports parts that `x-appends` names, but not the `enum` of the parameter, or the other way around. */
function checkParts(
  document: Json,
  { name, pointer, schema = "" }: SchemaHolder,
  report: ReportProblem,
): void {
  const [here, there] = [`${pointer}/x-appends`, `the enum of ${name}`];
  const parts = Object.keys(Object(getAtPointer(document, here)) as object);
  const items = reachInPlace(document, [schema]).flatMap((each) => itemsOf(document, each));
  const all = reachInPlace(document, items).flatMap((each) => schemaAt(document, each).enum ?? []);
  if (parts.length === 0 || all.length === 0) return;
  // A template, such as `season/{season_number}`, stands for several parts.
  const templates = parts.map((path) => ({ path }));
  const unknown = parts.filter((each) => !each.includes("{") && !all.includes(each));
  const missing = all
    .filter((each) => typeof each === "string")
    .filter((each) => matchPath(each, templates).length === 0);
  for (const each of unknown) {
    const problem = `${each} is in x-appends, but not in ${there}; correct the name, or add it there`;
    report(here + toReferenceToken(each), problem);
  }
  // A misspelled part is one mistake.
  if (unknown.length > 0) return;
  for (const each of missing)
    report(here, `${each} is in ${there}, but not in x-appends; add it here, or remove it there`);
}

/** Returns why methods cannot send a parameter, with a fix, or undefined if they can. */
function problemWithParameter(document: Json, parameter: SchemaHolder): string | undefined {
  const { name, pointer, schema = "" } = parameter;
  if (parameter.in === "path" && canBeList(document, schema))
    return `the path parameter ${name} can be a list, which methods cannot send; ${AS_STRING}`;
  if (!isStructured(document, schema)) return undefined;
  if (!isFreeForm(document, parameter)) {
    const fix = `${AS_STRING}, or with one parameter for each property`;
    return `the parameter ${name} can contain an object, which methods cannot send; ${fix}`;
  }
  if (getAtPointer(document, `${pointer}/explode`) === false)
    return `methods send each property of the object ${name} as a parameter; remove \`explode: false\``;
  if (partsOf(document, schema).some((each) => isStructured(document, each))) {
    const fix = "use scalars and lists of scalars";
    return `a property of ${name} contains an object, which methods cannot send; ${fix}`;
  }
  return undefined;
}

/** Returns whether a schema allows objects explicitly, or lists that contain objects or lists. */
function isStructured(document: Json, pointer: string): boolean {
  const inPlace = reachInPlace(document, [pointer]);
  const items = inPlace.flatMap((each) => itemsOf(document, each));
  return (
    [...inPlace, ...reachInPlace(document, items)].some((each) =>
      allows(document, each, "object", ABOUT_OBJECTS),
    ) || items.some((each) => canBeList(document, each))
  );
}

/** Returns whether a schema allows lists explicitly. */
function canBeList(document: Json, pointer: string): boolean {
  return reachInPlace(document, [pointer]).some((each) =>
    allows(document, each, "array", ["items"]),
  );
}

/** Returns whether a schema has a type, or, without a type, a keyword that restricts only that type. */
function allows(document: Json, pointer: string, name: string, keywords: readonly string[]) {
  const { type, ...others } = schemaAt(document, pointer);
  return type === undefined
    ? keywords.some((each) => each in others)
    : [type].flat().includes(name);
}

/** Lists pointers to the schemas of the items of a list. */
function itemsOf(document: Json, pointer: string): string[] {
  return listContained(document, pointer).filter((each) => each === `${pointer}/items`);
}

/** Lists pointers to the schemas of the properties of an object. */
function partsOf(document: Json, pointer: string): string[] {
  return reachInPlace(document, [pointer]).flatMap((each) =>
    listContained(document, each).filter((part) =>
      /^\/(properties|patternProperties|additionalProperties)\b/.test(part.slice(each.length)),
    ),
  );
}
