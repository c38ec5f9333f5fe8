import { describe, expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { getAtPointer } from "../../../src/openapi/pointer.js";
import { selectResponse } from "../../../src/openapi/route.js";
import type { Description, Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { description } from "../../../src/generated/description.js";
import { matchEvidence, readAllEvidence } from "../../../scripts/evidence/evidence-files.js";
import { root } from "../../support/paths.js";
import { createDescription, exchange, exampleExchanges } from "./support.js";

/** Creates an exchange from the first example request of an operation and the given response. */
function responding(operation: string, status: number, body: Json): Exchange {
  const described = operationOf(operation);
  const documented = selectResponse(described, status)!;
  const headers = Object.fromEntries(
    documented.headers.map(({ name }) => [name, "https://x.example/"]),
  );
  const response = { status, headers: { "content-type": "application/json", ...headers }, body };
  const { request } = exampleExchanges.find((each) => each.operation === operation) ?? {};
  return exchange(described.method, described.path, response, {
    ...(request && { request }),
    operation,
  });
}

const operationOf = (operation: string) =>
  description.operations.find(({ id }) => id === operation)!;

/** Returns the documented success status of an operation. */
const successOf = (operation: string) =>
  Number(operationOf(operation).responses.find(({ status }) => status.startsWith("2"))!.status);

/** Recorded exchanges with placeholders instead of values. */
const evidence = matchEvidence(readAllEvidence(root), description);
const real = evidence
  .filter(({ exchange: { response } }) => (response.status ?? 200) === 200)
  .filter(({ exchange: { response } }) => getAtPointer(response.body, "/success") !== false)
  .map(({ operation, exchange: { response } }) => responding(operation.id, 200, response.body!));

/** Lists the findings about an exchange, except for gaps in the specification. */
const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ category }) => category !== "unspecified")
    .map(({ rule, pointer }) => `${rule} ${pointer}`)
    .toSorted();

describe("bodies that belong to a different status", () => {
  const under = (status: number, { operation, response }: Exchange) =>
    responding(operation!, status, response.body!);
  // The 2xx response of this operation has no schema, so the gate cannot tell whether a body belongs to the response.
  const isTyped = ({ operation }: Exchange) => operation !== "authentication.convertV4Session";

  it("if a recorded 2xx body has status 404, the gate reports that the body belongs to a different status", () => {
    // A body with `status_code` but without `success` could be an error.
    const isClear = ({ response: { body } }: Exchange) =>
      getAtPointer(body, "/status_code") === undefined ||
      getAtPointer(body, "/success") !== undefined;
    const hasErrors = ({ operation }: Exchange) => selectResponse(operationOf(operation!), 404);
    for (const each of real.filter(isTyped).filter(isClear).filter(hasErrors))
      expect(found(under(404, each))).toEqual(
        ["http/status-body-mismatch ", ...found(each)].toSorted(),
      );
  });

  it("the gate reports one finding for a recorded error body with a 2xx status", () => {
    const bodies = evidence.map((each) => JSON.stringify(each.exchange.response.body));
    const envelopes = [...new Set(bodies)]
      .map((body) => JSON.parse(body) as Json)
      .filter((body) => getAtPointer(body, "/success") === false);
    expect(envelopes.length).toBeGreaterThan(4);
    for (const { operation, response } of exampleExchanges)
      for (const body of response.body === undefined ? [] : envelopes)
        expect(found(responding(operation!, successOf(operation!), body))).toEqual([
          "http/status-body-mismatch ",
        ]);
  });

  it("the gate recognizes an error body with status 200 even if a field is missing, and reports every mismatch of a body that matches no status", () => {
    const limited = { status_code: 25, status_message: "Too many." };
    for (const operation of ["networks.details", "search.multi"])
      expect(found(responding(operation, 200, limited))).toEqual([
        "http/status-body-mismatch ",
        "schema/required /success",
      ]);
    const convert = responding("authentication.convertV4Session", 401, { error: "x", path: "/" });
    expect(found(convert)).toHaveLength(5);
  });

  it("if a body belongs to a different status, the gate does not report missing headers", () => {
    const { response, ...rest } = exampleExchanges.find(
      ({ name }) => name === "authentication.createRequestToken/invalid-key",
    )!;
    const withType = (type: string) =>
      found({ ...rest, response: { ...response, status: 200, headers: { "content-type": type } } });
    expect(withType("application/json")).toEqual(["http/status-body-mismatch "]);
    expect(withType("text/html")).toEqual([
      "http/status-body-mismatch ",
      "http/undocumented-media-type ",
    ]);
  });

  const envelope = {
    type: "object",
    required: ["success", "code"],
    properties: { success: { const: false }, code: { type: "integer" } },
  };
  const reference = { $ref: "#/components/schemas/Envelope" };
  it.each<[string, Json, Json, string[]]>([
    ["is the error schema", reference, { success: false, code: 1 }, []],
    ["allows anything", {}, { success: false, code: 1 }, ["http/status-body-mismatch "]],
    ["allows anything", {}, { success: false, code: 1, id: 1 }, []],
    ["allows anything", {}, { success: true, code: 1 }, []],
    [
      "allows the fields of an error",
      { properties: { success: { type: "boolean" }, code: { type: "integer" } } },
      { success: false, code: 1 },
      [],
    ],
    ["allows anything", {}, { code: 1 }, []],
    [
      "requires two fields that an error does not have",
      { type: "object", required: ["a", "b"], properties: { a: {}, b: {}, code: {} } },
      { code: 1 },
      ["schema/required /a", "schema/required /b"],
    ],
    [
      "requires a field of an error",
      { required: ["code"] },
      { success: false, code: 1 },
      ["http/status-body-mismatch "],
    ],
  ])(
    "if the schema of a 2xx response %s (%j), the body %j causes the findings %j",
    (_, schema, body, expected) => {
      const responseOf = (of: Json) => ({ content: { "application/json": { schema: of } } });
      const responses = { "200": responseOf(schema), default: responseOf(reference) };
      const by = createDescription(schema, { Envelope: envelope }, { operation: { responses } });
      expect(found(exchange("GET", "/one", { body }), by)).toEqual(expected);
    },
  );
});
