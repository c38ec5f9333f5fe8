import { parametersIn } from "../../src/client/url.js";
import { keysAt } from "../../src/openapi/document.js";
import {
  getAtPointer,
  isLocalRef,
  parentPointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { relatedParameter, RULE, ruleOf } from "../../src/openapi/parameter-rule.js";
import { matchPath } from "../../src/openapi/route.js";
import { isFreeForm, schemaAt } from "../../src/openapi/schema.js";
import { listContained } from "../../src/openapi/keywords.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { ABOUT_OBJECTS, reachInPlace } from "./schema-pointers.js";
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
  checkReferences(document, operations, report);
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
    checkPath(each, report);
    for (const parameter of each.parameters) {
      checkParameter(document, each, parameter, report);
      checkRule(document, each, parameter, report);
    }
    for (const header of each.responses.flatMap(({ headers }) => headers))
      checkHeader(document, header, report);
  }
}

/**
 * Reports path parameters that only the path, or only the operation, has. Many operations can refer to a parameter, so
 * the location is that of the path, unless the parameter is declared there.
 */
function checkPath({ id, path, pointer, parameters }: Operation, report: ReportProblem): void {
  // Redocly reports parameters without a name, and those in other places.
  const isKnown = ({ name, in: location = "" }: SchemaHolder) =>
    name !== "undefined" && /^(cookie|header|path|query)$/.test(location);
  if (!parameters.every(isKnown)) return;
  const inPath = parametersIn(path);
  const declared = parameters.filter((each) => each.in === "path");
  const missing = inPath.find((name) => declared.every((each) => each.name !== name));
  const other = declared.find(({ name }) => !inPath.includes(name));
  if (other !== undefined) {
    const fix = missing === undefined ? "add it to the path" : `write it instead of {${missing}}`;
    const text = `the path has no {${other.name}}, which is a parameter of ${id}; ${fix}, or correct the parameter`;
    report(other.pointer.startsWith("/paths/") ? other.pointer : parentPointer(pointer), text);
  } else if (missing !== undefined) {
    const text = `${id} has no path parameter ${missing}, which the path contains; add it, or correct the path`;
    report(`${pointer}/parameters`, text);
  }
}

/** Reports references of parameters for which openapi-typescript would generate no type. */
function checkReferences(
  document: Json,
  operations: readonly Operation[],
  report: ReportProblem,
): void {
  const shared = "/components/parameters";
  const holders = operations.flatMap(({ pointer }) => [parentPointer(pointer), pointer]);
  for (const list of new Set([shared, ...holders.map((each) => `${each}/parameters`)]))
    for (const key of keysAt(document, list)) {
      const parameter = list + toReferenceToken(key);
      const { $ref } = schemaAt(document, parameter);
      if (!isLocalRef($ref) || refToPointer($ref).startsWith(`${shared}/`)) continue;
      const fix = `put the parameter into components and write #${shared}/NAME`;
      const text = `the reference ${$ref} is not a named parameter of this file; ${fix}`;
      report(`${parameter}/$ref`, text);
    }
}

/** Reports a header that is an object. The gate reads a header as a scalar or as a list. */
function checkHeader(
  document: Json,
  { name, pointer, schema = "" }: SchemaHolder,
  report: ReportProblem,
): void {
  const problem = `the header ${name} contains an object, which the gate cannot read; ${AS_STRING}`;
  if (isStructured(document, schema)) report(pointer, problem);
}

function checkParameter(
  document: Json,
  { pointer: operation, parameters }: Operation,
  parameter: SchemaHolder,
  report: ReportProblem,
): void {
  const { name, pointer } = parameter;
  const problem = problemWithParameter(document, parameter);
  checkParts(document, parameter, report);
  const inQuery = parameters.filter((each) => each.in === "query");
  if (problem !== undefined) report(pointer, problem);
  else if (isFreeForm(document, parameter) && inQuery.length > 1) {
    const rule = "and therefore must be the only query parameter";
    const fix = "remove it from this operation, or remove the other query parameters";
    report(operation, `the object ${name} stands for parameters of any name, ${rule}; ${fix}`);
  }
}

/** Reports a rule that does not relate two query parameters. */
function checkRule(
  document: Json,
  { id, parameters }: Operation,
  parameter: SchemaHolder,
  report: ReportProblem,
): void {
  const { name, pointer } = parameter;
  const rule = ruleOf(document, parameter);
  if (rule === undefined) return;
  const other: unknown = relatedParameter(Object(rule) as typeof rule);
  if (parameter.in !== "query") {
    const text = `only query parameters can have an ${RULE}; remove the rule of ${name}`;
    report(`${pointer}/${RULE}`, text);
  } else if (
    typeof other === "string" &&
    !parameters.some((each) => each.in === "query" && each.name === other)
  ) {
    const fix = "add it, or correct the name";
    const text = `${id} has no query parameter ${other}, which the rule of ${name} names; ${fix}`;
    report(`${pointer}/${RULE}`, text);
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
  const items = reachInPlace(document, itemsOf(document, schema));
  const all = items.flatMap((each) => schemaAt(document, each).enum ?? []);
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
  if (parameter.in === "path" && typesNamed(document, schema).includes("array"))
    return `the path parameter ${name} can be a list, which methods cannot send; ${AS_STRING}`;
  if (!isStructured(document, schema)) return undefined;
  if (!isFreeForm(document, parameter)) {
    const fix = `${AS_STRING}, or with one parameter for each property`;
    return `the parameter ${name} can contain an object, which methods cannot send; ${fix}`;
  }
  if (getAtPointer(document, `${pointer}/explode`) === false)
    return `methods send each property of the object ${name} as a parameter; remove \`explode: false\``;
  const members = containedIn(document, schema, /^(properties|patternProperties|additionalProp)/);
  if (members.some((each) => isStructured(document, each))) {
    const fix = "use scalars and lists of scalars";
    return `a property of ${name} contains an object, which methods cannot send; ${fix}`;
  }
  return undefined;
}

/** Returns whether a schema allows objects explicitly, or lists that contain objects or lists. */
function isStructured(document: Json, pointer: string): boolean {
  const ofItems = itemsOf(document, pointer).flatMap((each) => typesNamed(document, each));
  return (
    typesNamed(document, pointer).includes("object") ||
    ofItems.some((each) => each === "object" || each === "array")
  );
}

/** Lists the types that a schema names or, without a type, implies with keywords about objects or lists. */
function typesNamed(document: Json, pointer: string): string[] {
  return reachInPlace(document, [pointer]).flatMap((each) => {
    const { type, ...others } = schemaAt(document, each);
    if (type !== undefined) return type;
    const isObject = ABOUT_OBJECTS.some((keyword) => keyword in others);
    return [...(isObject ? ["object"] : []), ...("items" in others ? ["array"] : [])];
  });
}

/** Lists pointers to the schemas of the items of a list. */
function itemsOf(document: Json, pointer: string): string[] {
  return containedIn(document, pointer, /^items$/);
}

/** Lists pointers to the schemas that a schema, or one with which it is combined, contains in the given keywords. */
function containedIn(document: Json, pointer: string, keywords: RegExp): string[] {
  return reachInPlace(document, [pointer]).flatMap((each) =>
    listContained(document, each).filter((inner) => keywords.test(inner.slice(each.length + 1))),
  );
}
