import { gapOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { headerFaults } from "./headers.js";
import { isDueAsJson, isOf } from "./operations.js";
import { schemaAt } from "./schema.js";
import { short } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";

/** Judges headers, media type and presence of a body that is due as one of the media types, or not at all. */
export function surfaceFaults(
  exchange: Exchange,
  response: DescribedResponse,
  due: Described | undefined,
  description: Description,
): Fault[] {
  const { headers, status } = exchange.response;
  const { pointer } = response;
  const faults = headerFaults(headers, response, description);
  const gap = gapOf([{ pointer, schema: schemaAt(description.document, pointer) }]);
  if (gap && response.status === "default") {
    const fault = { pointer: "", place: "status", shape: "status", actual: String(status) };
    faults.push({ rule: "gap/status", ...fault, ...gap });
  }
  return [...faults, ...contentFaults(exchange, response, due)];
}

/** A status that no response of an operation is described for. */
export function statusFault({ pointer, responses }: Operation, status: number): Fault {
  const declared = responses.map((each) => each.status);
  const fault = { pointer: "", place: "status", spec: `${pointer}/responses`, declared };
  // Had `default` been meant for this status, it would be known.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const actual = String(status);
  return { ...fault, rule: "surface/status", shape: actual, expected, actual };
}

/** Whether the body is there where one is due, is of a described media type, and could be parsed. */
function contentFaults(
  { request, response }: Exchange,
  { pointer, media }: DescribedResponse,
  due: Described | undefined,
): Fault[] {
  const { headers, body, text } = response;
  const fault = { pointer: "", place: "", shape: "body", spec: `${pointer}/content` };
  if (body === undefined && !text) {
    if (!due || request.method === "HEAD") return [];
    const expected = `a body of ${due.name}`;
    return [{ ...fault, rule: "surface/empty-body", expected, actual: "no body" }];
  }
  if (!due) {
    const came = { expected: "no body", actual: short(body ?? text) };
    return [{ ...fault, rule: "surface/extra-body", spec: pointer, ...came }];
  }
  const type = headers["content-type"];
  const expected = media.map(({ name }) => name).join(" or ");
  const typed = { ...fault, shape: "content-type", expected, actual: short(type) };
  if (type !== undefined && !isOf(due, type))
    return [{ ...typed, rule: "surface/media-type", place: "header: content-type" }];
  const faults: Fault[] = [];
  if (type === undefined)
    faults.push({ ...typed, rule: "surface/no-media-type", place: "headers" });
  if (body === undefined && isDueAsJson(due, response)) {
    const came = { expected: "JSON", actual: `${text?.length} characters that are no JSON` };
    faults.push({ ...fault, rule: "surface/not-json", spec: due.pointer, ...came });
  }
  return faults;
}
