import { gapOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { isJson, usual } from "./operations.js";
import { schemaAt } from "./schema.js";
import { list, short } from "./short.js";
import type { Description, Exchange, Operation } from "./types.js";
import { violationsOf } from "./value.js";

/** Checks the request: its body, and parameters that the source does not show. */
export function requestFaults(
  { request }: Exchange,
  { body: media, bodyRequired, parameters, path, pointer: operation }: Operation,
  { document, validators }: Description,
): Fault[] {
  const { schema: spec = "", pointer: unparsed = "" } = usual(media) ?? {};
  const sent = { rule: "request/body", pointer: "", place: "request" } as const;
  const errors = request.body === undefined ? [] : (validators[spec]?.(request.body) ?? []);
  const faults = violationsOf(errors, request.body).map((each): Fault => {
    const expected = `${each.pointer || "the body"} ${each.expected}`;
    return { ...sent, shape: each.pointer, spec, expected, actual: each.actual };
  });
  if (request.text !== undefined && media.length > 0 && media.every(isJson)) {
    const actual = `${request.text.length} characters that are no JSON`;
    faults.push({ ...sent, shape: "", spec: unparsed, expected: "JSON", actual });
  }
  const { body, text } = request;
  const isAbsent = body === undefined && !text;
  if (bodyRequired && isAbsent) {
    const place = { ...sent, shape: "absent", place: "method", spec: `${operation}/requestBody` };
    faults.push({ ...place, expected: "a request body", actual: "absent" });
  }
  if (media.length === 0 && !isAbsent) {
    const extra = { ...sent, rule: "request/extra-body", shape: "", spec: operation } as const;
    faults.push({ ...extra, expected: "no request body", actual: short(body ?? text) });
  }
  const names = Object.keys(request.query ?? {});
  for (const { name, in: where, pointer } of parameters) {
    const gap = gapOf([{ pointer, schema: schemaAt(document, pointer) }]);
    if (!gap || (where !== "path" && (where !== "query" || names.length === 0))) continue;
    const index = path.split("/").findIndex((each) => each.includes(`{${name}}`));
    const actual = where === "path" ? short(request.path.split("/")[index]) : list(names);
    faults.push({ rule: "gap/parameter", pointer: "", place: "path", shape: name, actual, ...gap });
  }
  return faults;
}
