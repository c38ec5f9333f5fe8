import { gapOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { headerFaults } from "./headers.js";
import { responseFor } from "./operations.js";
import { schemaAt } from "./schema.js";
import { short } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";

/** What the surface of an exchange comes to: its faults, and the schema that its body is due to satisfy. */
export interface Surface {
  faults: Fault[];
  response?: DescribedResponse;
  schema?: string | undefined;
}

/** Judges status, media type, headers and presence of the body. */
export function surfaceOf(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): Surface {
  const { status, headers } = exchange.response;
  const response = responseFor(operation, status);
  if (!response) return { faults: [unknownStatus(operation, status)] };
  const first = response.media.find(isJson) ?? response.media[0];
  if (exchange.bodyOnly) return { faults: [], response, schema: first?.schema };
  const faults = [
    ...headerFaults(headers, response, description),
    ...statusFaults(status, response, description),
  ];
  const body = bodyOf(exchange, response, first);
  return { response, schema: body.schema, faults: [...faults, ...body.faults] };
}

function unknownStatus(operation: Operation, status: number): Fault {
  const declared = operation.responses.map((each) => each.status);
  const fault = { pointer: "", place: "status", spec: `${operation.pointer}/responses`, declared };
  // Had `default` been meant for this status, it would be known.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const actual = String(status);
  return { ...fault, rule: "surface/status", shape: actual, expected, actual };
}

/** Whether the body is there where one is due, is of a described media type, and could be parsed. */
function bodyOf(
  { request, response: { headers, body, text } }: Exchange,
  { pointer, media }: DescribedResponse,
  first: Described | undefined,
): Surface {
  const spec = `${pointer}/content`;
  const fault = { pointer: "", place: "", shape: "body", spec };
  if (body === undefined && !text) {
    const isDue = first && request.method !== "HEAD";
    const expected = `a body of ${first?.name}`;
    const empty: Fault = { ...fault, rule: "surface/empty-body", expected, actual: "no body" };
    return { faults: isDue ? [empty] : [] };
  }
  if (!first) {
    const came = { expected: "no body", actual: short(body ?? text) };
    return { faults: [{ ...fault, rule: "surface/extra-body", spec: pointer, ...came }] };
  }
  const type = headers["content-type"];
  const chosen = type === undefined ? first : media.find((each) => isOf(each, type));
  const { schema } = chosen ?? first;
  const typed = {
    ...fault,
    shape: "content-type",
    expected: media.map(({ name }) => name).join(" or "),
    actual: short(type),
  };
  const faults: Fault[] = [];
  if (type === undefined)
    faults.push({ ...typed, rule: "surface/no-media-type", place: "headers" });
  if (!chosen) faults.push({ ...typed, rule: "surface/media-type", place: "header: content-type" });
  if (body === undefined && chosen && isJson(chosen)) {
    const came = { expected: "JSON", actual: `${text?.length} characters that are no JSON` };
    faults.push({ ...fault, rule: "surface/not-json", spec: chosen.pointer, ...came });
  }
  return { faults, schema };
}

function statusFaults(
  status: number,
  { status: described, pointer }: DescribedResponse,
  { document }: Description,
): Fault[] {
  const gap = gapOf([{ pointer, schema: schemaAt(document, pointer) }]);
  if (!gap || described !== "default") return [];
  const fault = { pointer: "", place: "status", shape: "status" };
  const expected = "not shown by the source";
  return [{ rule: "gap/status", ...fault, expected, actual: String(status), ...gap }];
}

function isJson({ name }: Described): boolean {
  return /[/+]json$/.test(name) || name === "*/*";
}

/** Whether a `content-type` is of a described media type, or of a range such as `text/*`. */
function isOf({ name }: Described, header: string): boolean {
  const given = (header.split(";")[0] ?? "").trim().toLowerCase();
  const [wanted = ""] = name.split(";");
  const range = wanted === "*/*" ? "" : wanted.slice(0, -1);
  return wanted === given || (wanted.endsWith("/*") && given.startsWith(range));
}
