import { gapOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { isStandard } from "./headers.js";
import {
  responseFor,
  type Header,
  type Media,
  type Operation,
  type ResponseOf,
} from "./operations.js";
import { at } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { pathValues } from "./route.js";
import { schemaAt } from "./schema.js";
import { list, short } from "./short.js";
import type { Description, Exchange } from "./types.js";
import { violationsOf } from "./value.js";

/** What the surface of an exchange comes to: its faults, and the schema that its body is due to satisfy. */
export interface Surface {
  faults: Fault[];
  response: ResponseOf | undefined;
  schema: string | undefined;
}

/** Statuses that never have a body (RFC 9110). */
const BODILESS = new Set([204, 205, 304]);
const NOT_SHOWN = "not shown by the source";

/** Judges status, media type, headers and presence of the body. */
export function surfaceOf(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): Surface {
  const { status, headers, body, text } = exchange.response;
  const response = responseFor(operation, status);
  if (!response) {
    const declared = operation.responses.map((each) => each.status);
    const spec = `${operation.pointer}/responses`;
    const actual = String(status);
    const faults = [
      surface("surface/status", "status", actual, spec, declared.join(" or "), actual, {
        declared,
      }),
    ];
    return { faults, response, schema: undefined };
  }
  const first = response.media.find(({ type }) => isJson(type)) ?? response.media[0];
  if (exchange.bodyOnly) return { faults: [], response, schema: first?.schema };

  const faults = [
    ...headerFaults(headers, response, description),
    ...statusFaults(status, response, description),
  ];
  const content = `${response.pointer}/content`;
  const hasBody = body !== undefined || (text !== undefined && text !== "");
  if (!first || !hasBody) {
    const isDue = exchange.request.method !== "HEAD" && !BODILESS.has(status);
    if (!first && hasBody)
      faults.push(
        surface("surface/extra-body", "", "body", response.pointer, "no body", short(body ?? text)),
      );
    if (first && isDue)
      faults.push(
        surface("surface/empty-body", "", "body", content, `a body of ${first.type}`, "no body"),
      );
    return { faults, response, schema: undefined };
  }
  const type = headers["content-type"];
  const media = type === undefined ? first : response.media.find((each) => isOf(each, type));
  const expected = response.media.map((each) => each.type).join(" or ");
  if (type === undefined) {
    faults.push(
      surface("surface/no-media-type", "headers", "content-type", content, expected, "absent"),
    );
  } else if (!media) {
    faults.push(
      surface(
        "surface/media-type",
        "header: content-type",
        "content-type",
        content,
        expected,
        short(type),
      ),
    );
  }
  if (body === undefined && media && isJson(media.type)) {
    const actual = `${text?.length} characters that are no JSON`;
    faults.push(surface("surface/not-json", "", "body", media.pointer, "JSON", actual));
  }
  return { faults, response, schema: (media ?? first).schema };
}

/** Judges what was sent: the body where there is one, and parameters that the source does not show. */
export function requestFaults(
  { request }: Exchange,
  operation: Operation,
  description: Description,
): Fault[] {
  const schema = operation.body[0]?.schema;
  const errors =
    schema === undefined || request.body === undefined
      ? []
      : description.validators[schema]?.(request.body);
  const faults = violationsOf(errors ?? [], request.body).map(({ pointer, expected, actual }) =>
    surface(
      "request/body",
      "request",
      pointer,
      schema ?? "",
      `${pointer || "the body"} ${expected}`,
      actual,
    ),
  );
  const values = pathValues(operation.path, request.path);
  for (const { name, in: where, pointer } of operation.parameters) {
    const gap = gapAt(pointer, description);
    const names = where === "query" ? Object.keys(request.query ?? {}) : [];
    if (gap === undefined || (where !== "path" && names.length === 0)) continue;
    const actual = where === "path" ? short(values[name]) : list(names);
    faults.push(surface("gap/parameter", "path", name, pointer, NOT_SHOWN, actual, { gap }));
  }
  return faults;
}

function statusFaults(
  status: number,
  { status: described, pointer }: ResponseOf,
  description: Description,
): Fault[] {
  const gap = described === "default" ? gapAt(pointer, description) : undefined;
  return gap === undefined
    ? []
    : [surface("gap/status", "status", "status", pointer, NOT_SHOWN, String(status), { gap })];
}

function headerFaults(
  headers: Exchange["response"]["headers"],
  response: ResponseOf,
  description: Description,
): Fault[] {
  const declared = response.headers.map(({ name }) => name);
  const faults = response.headers.flatMap((header): Fault[] => {
    const { name, pointer, required } = header;
    const value = headers[name];
    if (value === undefined) {
      return required
        ? [
            surface(
              "surface/header-missing",
              "headers",
              name,
              pointer,
              `the header ${name}`,
              "absent",
            ),
          ]
        : [];
    }
    const [violation] = violationsOf(validate(header, value, description), value);
    if (!violation) return [];
    return [
      surface(
        "surface/header-value",
        `header: ${name}`,
        name,
        pointer,
        violation.expected,
        short(value, name),
      ),
    ];
  });
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no header of its own";
  const unknown = Object.keys(headers).filter(
    (name) => !declared.includes(name) && !isStandard(name),
  );
  return faults.concat(
    unknown.map((name) =>
      surface(
        "surface/header-undeclared",
        `header: ${name}`,
        name,
        `${response.pointer}/headers`,
        expected,
        list([name]),
        { declared },
      ),
    ),
  );
}

/** A header is text: where a number or a boolean is described, the text of one is meant. */
function validate({ schema }: Header, value: string, { document, validators }: Description) {
  if (schema === undefined) return [];
  const types = [at(document, `${schema}/type`)].flat();
  const isJsonText = !types.includes("string") && /^(-?\d+(\.\d+)?|true|false)$/.test(value);
  return validators[schema]?.(isJsonText ? JSON.parse(value) : value) ?? [];
}

function surface(
  rule: RuleId,
  place: string,
  shape: string,
  spec: string,
  expected: string,
  actual: string,
  more: Partial<Fault> = {},
): Fault {
  return { rule, pointer: "", place, shape, spec, expected, actual, ...more };
}

function gapAt(pointer: string, { document }: Description): string | undefined {
  return gapOf([{ pointer, schema: schemaAt(document, pointer) }])?.id;
}

function isJson(type: string): boolean {
  return /[/+]json$/.test(type) || type === "*/*";
}

function isOf({ type }: Media, header: string): boolean {
  const given = (header.split(";")[0] ?? "").trim().toLowerCase();
  const [wanted = ""] = type.split(";");
  return (
    wanted === given ||
    wanted === "*/*" ||
    (wanted.endsWith("/*") && given.startsWith(wanted.slice(0, -1)))
  );
}
