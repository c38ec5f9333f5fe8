import type { Planted } from "../mutate.js";
import { isOf, responseFor, usual } from "../engine/operations.js";
import { step } from "../engine/pointer.js";
import { routeOf } from "../engine/route.js";
import { schemaAt } from "../engine/schema.js";
import type { Description, Exchange } from "../engine/types.js";
import { without } from "./values.js";

/** Faults of everything but the values of the body: request, status, media type, headers, and the body as text. */
export function* surfaceMutants(exchange: Exchange, description: Description): Generator<Planted> {
  const { operation } = routeOf(exchange, description);
  const { request, response } = exchange;
  const due = operation && responseFor(operation, response.status);
  if (!operation || !due) return;
  const { body, headers } = response;
  const sent = (change: object) => ({ ...exchange, request: { ...request, ...change } });
  const got = (change: object) => ({ ...exchange, response: { ...response, ...change } });
  const dropping = (name: string) => got({ headers: without(headers, name) });
  const sending = (name: string, value: string) => got({ headers: { ...headers, [name]: value } });

  for (const status of [200, 404, 500]) {
    const other = responseFor(operation, status);
    if (other !== due)
      yield ["wrong status", "status", other?.pointer ?? due.pointer, got({ status })];
  }
  // Of a body alone, a status is given, and nothing else of the surface is judged.
  if (exchange.bodyOnly) return;
  yield ["wrong path", "path", operation.pointer, sent({ path: `${request.path}/nowhere` })];
  yield ["wrong method", "method", operation.pointer, sent({ method: "PATCH" })];
  const schema = usual(operation.body)?.schema;
  if (schema !== undefined && request.body !== undefined) {
    yield ["break request", "request", `${schema}/type`, sent({ body: "text" })];
    yield ["break request", "request", `${schema}/required/0`, sent({ body: {} })];
    for (const name of Object.keys(request.body ?? {})) {
      const wrong = sent({ body: { ...(request.body as object), [name]: 7 } });
      yield ["break request", "request", `${schema}/properties${step(name)}/type`, wrong];
    }
  }
  for (const { name, required, pointer, schema: of = "" } of due.headers) {
    if (headers[name] === undefined) continue;
    if (required) yield ["drop header", `header: ${name}`, pointer, dropping(name)];
    const { format, pattern } = schemaAt(description.document, of);
    if (format ?? pattern)
      yield ["break header", `header: ${name}`, pointer, sending(name, `no ${format} "`)];
  }
  yield ["extra header", "headers", due.pointer, sending("x-catalogue-unheard-of", "1")];
  if (body === undefined || !due.media[0]) return;
  for (const type of ["text/html", "text/plain; charset=utf-8", "application/xml"]) {
    if (due.media.some((each) => isOf(each, type))) continue;
    const other = sending("content-type", type);
    yield ["wrong media type", "header: content-type", due.pointer, other];
  }
  yield ["no media type", "headers", due.pointer, dropping("content-type")];
  yield ["empty body", "", due.pointer, got({ body: undefined })];
  const text = JSON.stringify(body).slice(0, -1);
  yield ["cut-off JSON", "", due.pointer, got({ body: undefined, text })];
}
