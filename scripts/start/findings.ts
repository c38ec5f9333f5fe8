import type { ErrorObject } from "ajv";
import { step } from "../../src/contract/pointer.js";

/** Something in an answer that the description does not say. */
export interface Finding {
  operation: string;
  /** JSON pointer (RFC 6901) into the answer as `{ status, headers, body }`; empty where no answer came. */
  pointer: string;
  /** Completes "expected …". */
  expected: string;
  actual: unknown;
  /** How often the same fault occurs in other items of the same lists or maps. */
  more: number;
}

/** Stands for a value that is not there, which no JSON value can. */
export const ABSENT = Symbol("absent");

/**
 * Turns the errors of one validation into findings: one for each fault. Errors about keywords that only combine others
 * are left out, and the same fault in many items is one finding with a count.
 * @param base pointer to what was validated
 */
export function findingsOf(
  operation: string,
  base: string,
  errors: readonly ErrorObject[],
): Finding[] {
  const faults = new Map<string, { first: Finding; pointers: Set<string> }>();
  for (const error of withoutEchoes(errors)) {
    const pointer = base + pointerOf(error);
    const expected = expectedOf(error);
    const actual = error.keyword === "required" ? ABSENT : error.data;
    const key = `${pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")} ${expected}`;
    const fault = faults.get(key) ?? {
      first: { operation, pointer, expected, actual, more: 0 },
      pointers: new Set(),
    };
    faults.set(key, fault);
    fault.pointers.add(pointer);
    fault.first.more = fault.pointers.size - 1;
  }
  return [...faults.values()].map(({ first }) => first);
}

/** A union without a discriminator reports the branches that were not meant, by their tag. */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const causes = errors.filter(
    ({ keyword }) => !["if", "propertyNames", "oneOf"].includes(keyword),
  );
  const unions = errors
    .filter(({ keyword }) => keyword === "oneOf")
    .map((each) => each.instancePath);
  const meant = causes.filter(
    ({ keyword, instancePath }) =>
      !(["const", "not"].includes(keyword) && unions.some((union) => isChild(instancePath, union))),
  );
  const explained = (union: string) =>
    meant.some(({ instancePath: path }) => path === union || path.startsWith(`${union}/`));
  return [
    ...meant,
    ...errors.filter((each) => each.keyword === "oneOf" && !explained(each.instancePath)),
  ];
}

function isChild(path: string, parent: string): boolean {
  return path.startsWith(`${parent}/`) && !path.slice(parent.length + 1).includes("/");
}

function pointerOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const last = keyword === "required" ? (params.missingProperty as string) : propertyName;
  return last === undefined ? instancePath : instancePath + step(last);
}

function expectedOf({ keyword, message = "be valid", params, propertyName }: ErrorObject): string {
  const subject = propertyName === undefined ? "to" : "its name to";
  switch (keyword) {
    case "required":
      return "to be present";
    case "const":
      return `${subject} be ${JSON.stringify(params.allowedValue)}`;
    case "enum":
      return `${subject} be one of ${JSON.stringify(params.allowedValues)}`;
    default:
      return `${subject} ${message.replace(/^must /, "")}`;
  }
}
