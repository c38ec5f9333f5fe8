import { description } from "../../generated/description.js";
import { step, targetOf } from "../engine/pointer.js";
import { usual } from "../engine/route.js";
import { passes, schemaAt, unionsOf, type Part } from "../engine/schema.js";
import type { Exchange, Json } from "../engine/types.js";
import { isFieldName, isSecret, nameIn } from "../secret-name.js";
import { hideInText, PLACEHOLDER, standIn, type Secrets } from "../secrets.js";

/** A request and its response. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** How an exchange is scrubbed. */
export interface ScrubOptions {
  secrets: Secrets;
  /** Values that the plan took from the environment; in a request, even a short one is replaced. */
  given?: readonly string[] | undefined;
  /** Keeps the values of undeclared fields, scrubbed like declared text. */
  keepUndeclared?: boolean | undefined;
}

/** The public fields of account details. Everything else there is about a person. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);
/** Undeclared names of personal data, for `keepUndeclared`. */
const PERSONAL_NAME =
  /^(?:user_?name|login|e-?mail(?:_address)?|phone(?:_number)?|ip(?:_address)?)$/i;

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
/** Formats of personal data. Titles, dates, years, versions and counts must not match. */
const PERSONAL_FORMATS: [format: RegExp, replacement: string][] = [
  // An e-mail address, also percent-encoded or with an HTML entity.
  [
    /[\p{L}\d._%+-]{1,64}(?:@|%(?:25)*40|&#(?:64|x40);)(?:[\p{L}\d-]+\.)+\p{L}{2,}/giu,
    "scrubbed@mail.example",
  ],
  // IPv4.
  [
    new RegExp(
      String.raw`(?<![\w.]|version |release )(?!127\.|0\.0\.)(?:${OCTET}\.){3}${OCTET}(?![\w-]|\.\d)`,
      "gi",
    ),
    "0.0.0.0",
  ],
  // IPv6: eight groups, or fewer with `::` between them.
  [
    /(?<![\w:])(?=[\da-f:]*\d)(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6})(?![\w:])/gi,
    "::",
  ],
  // A phone number: international, North American, with the fictional prefix 555, or behind a word that says so.
  [
    /(?<![\w+])\+\d(?:[\s().-]{0,2}\d){7,14}(?![\d-])|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-.]\d{4}(?![\w-])|(?<![\w.-])555-\d{4}(?![\w-])/g,
    "scrubbed",
  ],
  [
    /(?<=\b(?:phone|mobile|tel|telephone|fax|whatsapp|call (?:me|us))(?: number)?(?: is| at| on)?\s*[:.]?\s*)[(\d](?:[\s().-]{0,2}\d){6,14}/gi,
    "scrubbed",
  ],
  // A one-time code behind its name.
  [
    /(?<=\b(?:(?:your|verification|security|confirmation|activation|recovery|one-time|two-factor|login|access|auth\w{0,12}|sms|2fa|mfa) (?:code|pin|password)|otp|pin|passcode)(?: is| was)?\s*[:=#]?\s*)(?=[\w-]*\d)[a-z\d][a-z\d-]{2,10}[a-z\d](?![\w-])/gi,
    "scrubbed",
  ],
];

/** Replaces e-mail addresses, IP addresses, phone numbers and one-time codes in a text. */
export function hidePersonal(text: string): string {
  return PERSONAL_FORMATS.reduce(
    (rest, [format, replacement]) => rest.replace(format, replacement),
    text,
  );
}

/**
 * Replaces secrets and personal data in an exchange. All secrets of the run must be known by now. A value keeps its
 * type, and what satisfied its schema still does. A field that the description does not declare gets a placeholder.
 */
export function scrub(exchange: RawExchange, options: ScrubOptions): RawExchange {
  const { operation, request, response } = exchange;
  const { secrets, given = [] } = options;
  const described = description.operations.find(({ id }) => id === operation);
  // The fields of all responses are declared, so that an error with the status of a success stays readable.
  const answers = described?.responses.flatMap(({ media }) => usual(media)?.schema ?? []) ?? [];
  const sent = usual(described?.body ?? [])?.schema;
  const isDetails = operation === "account.details" && response.status < 300;

  const bodyOf = <T extends { body?: Json; text?: string }>(part: T, schemas: string[]) => ({
    ...(part.body !== undefined && {
      body: walk(part.body, {
        ...options,
        parts: partsAt(schemas, part.body),
        isPersonal: isDetails ? (name) => !PUBLIC_OF_ACCOUNT.has(name) : undefined,
      }),
    }),
    ...(part.text !== undefined && { text: hideText(part.text, secrets) }),
  });
  const isGiven = (value: unknown) => given.includes(String(value));
  const query = Object.entries(request.query ?? {}).map(([name, value]) => [
    hideText(name, secrets),
    isGiven(value) || isSecret(name, value, true)
      ? replaced(value as Json)
      : scalar(value as Json, secrets),
  ]);
  const template = described?.path.split("/") ?? [];
  const segments = request.path.split("/").map((each, index) => {
    const isIdentifier = template[index]?.startsWith("{");
    const isAccount = template[index] === "{account_id}";
    return isAccount || (isIdentifier && isGiven(decodeURIComponent(each))) ? "1" : each;
  });
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    isSecret(name, value) ? standIn(value) : hideText(value, secrets),
  ]);
  return {
    operation,
    request: {
      method: request.method,
      path: hideText(segments.join("/"), secrets),
      ...(request.query && { query: Object.fromEntries(query) as Record<string, Json> }),
      ...bodyOf(request, sent === undefined ? [] : [sent]),
    },
    response: {
      status: response.status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...bodyOf(response, answers),
    },
  };
}

/** How a value within a body is scrubbed. */
interface Scrubbing extends ScrubOptions {
  /** Everything that the description says about the value. */
  parts: Part[];
  /** Which members of an object are personal, by name. */
  isPersonal?: ((name: string) => boolean) | undefined;
}

function walk(value: Json, how: Scrubbing): Json {
  const { parts, secrets, keepUndeclared, isPersonal } = how;
  const isDeclared = parts.some(
    ({ schema }) => (schema.type ?? schema.const ?? schema.enum) !== undefined,
  );
  if (typeof value !== "object" || value === null) {
    if (!isDeclared && !keepUndeclared) return placeholder(value);
    return fitting(value, scalar(value, secrets), parts);
  }
  const isList = Array.isArray(value);
  const result: [string, Json][] = [];
  const names = new Set<string>();
  for (const [key, each] of Object.entries(value)) {
    const inner = partsAt(pointersOf(parts, key, isList), each);
    const name = isList ? key : nameOf(key, parts, how);
    const named = nameIn(value, key);
    const isReplaced =
      isPersonal?.(named) ||
      isSecret(named, each) ||
      (inner.length === 0 && PERSONAL_NAME.test(named));
    const clean = isReplaced
      ? replaced(each, inner)
      : walk(each, { ...how, parts: inner, isPersonal: undefined });
    result.push([unique(name, names), clean]);
  }
  return isList ? result.map(([, each]) => each) : Object.fromEntries(result);
}

/** Keys of a map that stay although they contradict its pattern, such as `usa`. */
const CODE_NAME = /^[a-z-]{1,6}$/i;

function nameOf(key: string, parts: readonly Part[], how: Scrubbing): string {
  if (parts.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key))) return key;
  const clean = hideText(key, how.secrets);
  if (clean !== key || how.keepUndeclared) return clean;
  const patterns = parts.flatMap(({ schema }) => schema.propertyNames?.pattern ?? []);
  if (patterns.some((each) => new RegExp(each).test(key))) return key;
  return (patterns.length > 0 ? CODE_NAME.test(key) : isFieldName(key)) ? key : "key";
}

function unique(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count += 1) free = `${name}-${count}`;
  names.add(free);
  return free;
}

/** The value of an undeclared field: nobody knows what it holds. */
function placeholder(value: Json): Json {
  if (typeof value === "string") return value === "" ? "" : PLACEHOLDER;
  if (typeof value === "number") return Number.isInteger(value) ? 0 : 0.5;
  return value;
}

/** A secret or personal value, replaced whatever it is, with everything in it. */
function replaced(value: Json, parts: Part[] = []): Json {
  if (typeof value === "string") return fitting(value, standIn(value), parts);
  if (typeof value === "number") return Number.isInteger(value) ? 1 : 0.5;
  if (typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  const inside = Object.entries(value).map(([key, each], index): [string, Json] => {
    const isDeclared = parts.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key));
    const inner = partsAt(pointersOf(parts, key, isList), each);
    return [isDeclared ? key : `key-${index + 1}`, replaced(each, inner)];
  });
  return isList ? inside.map(([, each]) => each) : Object.fromEntries(inside);
}

function hideText(text: string, secrets: Secrets): string {
  return hidePersonal(hideInText(text, secrets));
}

function scalar(value: Json, secrets: Secrets): Json {
  if (typeof value === "string") return hideText(value, secrets);
  if (typeof value !== "number" || secrets.hide(`${value}`) === `${value}`) return value;
  return Number.isInteger(value) ? 1 : 0.5;
}

/** Replacements for every form that the description knows. */
const FORMS = ["scrubbed", "/scrubbed", "https://scrubbed.example/", "scrubbed/scrubbed"];

/** The replacement of a declared value; another one if this one contradicts what the value satisfied. */
function fitting(value: Json, clean: Json, parts: readonly Part[]): Json {
  if (typeof value !== "string" || clean === value) return clean;
  const satisfied = parts.filter((each) => satisfies(value, each));
  const forms = [clean as string, ...FORMS, "2000-01-01", "2000-01-01 00:00:00 UTC"];
  return forms.find((form) => satisfied.every((each) => satisfies(form, each))) ?? clean;
}

function satisfies(text: string, { schema }: Part): boolean {
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) return false;
  if (schema.format === "uri" && !URL.canParse(text)) return false;
  return schema.const === undefined || schema.const === text;
}

/** The schemas at some pointers, with everything that they refer to and combine. */
function partsAt(pointers: readonly string[], value: Json): Part[] {
  return pointers.flatMap((pointer) => {
    const schema = schemaAt(description.document, pointer);
    const part = { pointer, schema };
    const all = [...(schema.allOf ?? []).keys()].map((index) => `${pointer}/allOf/${index}`);
    const reference = schema.$ref === undefined ? [] : [targetOf(schema.$ref)];
    const branches = unionsOf(part).flatMap((union) => {
      const tests = description.unions[union.pointer] ?? [];
      const meant = union.branches.filter(
        (_, index) => tests[index] && passes(tests[index], value),
      );
      // With a wrong tag, any branch may be meant.
      return meant.length > 0 ? meant : union.branches;
    });
    return [part, ...partsAt([...reference, ...all, ...branches], value)];
  });
}

/** Pointers of the schemas of a member or an item. */
function pointersOf(parts: readonly Part[], key: string, isList: boolean): string[] {
  return parts.flatMap(({ pointer, schema }) => {
    if (isList) return schema.items === undefined ? [] : `${pointer}/items`;
    if (schema.properties && Object.hasOwn(schema.properties, key))
      return `${pointer}/properties${step(key)}`;
    return schema.additionalProperties === undefined ? [] : `${pointer}/additionalProperties`;
  });
}
