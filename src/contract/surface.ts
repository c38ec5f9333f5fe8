import { gapOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { headerFaults } from "./headers.js";
import { isJson, isOf, mediaOf, responseFor } from "./operations.js";
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
  const due = mediaOf(response, exchange);
  const schema = due?.schema;
  if (exchange.bodyOnly) return { faults: [], response, schema };
  const faults = [
    ...headerFaults(headers, response, description),
    ...statusFaults(status, response, description),
  ];
  return { response, schema, faults: [...faults, ...contentFaults(exchange, response, due)] };
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
function contentFaults(
  { request, response: { headers, body, text } }: Exchange,
  { pointer, media }: DescribedResponse,
  due: Described | undefined,
): Fault[] {
  const spec = `${pointer}/content`;
  const fault = { pointer: "", place: "", shape: "body", spec };
  if (body === undefined && !text) {
    const isDue = due && request.method !== "HEAD";
    const expected = `a body of ${due?.name}`;
    const empty: Fault = { ...fault, rule: "surface/empty-body", expected, actual: "no body" };
    return isDue ? [empty] : [];
  }
  if (!due) {
    const came = { expected: "no body", actual: short(body ?? text) };
    return [{ ...fault, rule: "surface/extra-body", spec: pointer, ...came }];
  }
  const type = headers["content-type"];
  const typed = {
    ...fault,
    shape: "content-type",
    expected: media.map(({ name }) => name).join(" or "),
    actual: short(type),
  };
  const faults: Fault[] = [];
  if (type === undefined)
    faults.push({ ...typed, rule: "surface/no-media-type", place: "headers" });
  else if (!isOf(due, type))
    return [{ ...typed, rule: "surface/media-type", place: "header: content-type" }];
  if (body === undefined && isJson(due)) {
    const came = { expected: "JSON", actual: `${text?.length} characters that are no JSON` };
    faults.push({ ...fault, rule: "surface/not-json", spec: due.pointer, ...came });
  }
  return faults;
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
