import { describe, expect, it } from "vitest";
import { checkExchange, inspectExchange } from "../../../src/contract/engine/check.js";
import { description } from "../../../src/generated/full-description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { only, problems, read, recording } from "./support.js";

const { operations } = description;
const json = { "content-type": "application/json" };
const readAll = async (file: object) => {
  const items = await read({ "a.json": file }, { operations });
  expect(problems(items)).toEqual([]);
  return items.flatMap((each) => ("exchange" in each ? each.exchange : []));
};
const outcomeOf = (exchange: Exchange) => {
  const { findings, unvalidated } = inspectExchange(exchange, description);
  return [...findings.map(({ rule }) => rule), ...(unvalidated ? [unvalidated] : [])];
};

describe("a file with recorded exchanges", () => {
  it("can contain several exchanges, whose names and positions tell them apart", async () => {
    const bodies = [{ genres: [] }, { genres: 7 }];
    const exchanges = bodies.map((body) => ({
      source: { kind: "recording", name: "staging", values: "redacted" },
      request: { method: "GET", path: "/3/genre/tv/list" },
      response: { status: 200, headers: json, body },
    }));
    const [one, two] = await readAll({ exchanges });
    expect([one!.name, two!.name]).toEqual(["a.json#1", "a.json#2"]);
    expect(two!.source).toEqual(exchanges[1]!.source);
    expect(outcomeOf(one!)).toEqual([]);
    const lines = JSON.stringify({ exchanges }, null, 2).split("\n");
    const [finding] = checkExchange(two!, description);
    expect(lines[finding!.occurrences[0]!.line! - 1]).toContain('"genres": 7');
  });

  it("an invalid exchange in a list has a location in the list", async () => {
    const exchanges = [recording(), recording({ status: "x" }), recording({}, { path: undefined })];
    expect(problems(await read({ "a.json": { exchanges } }))[0]).toMatch(
      /^a\.json:\d+:\d+ exchanges\.1\.response\.status must be an HTTP status/,
    );
    expect(problems(await read({ "a.json": { exchanges: {} } }))[0]).toContain(
      "exchanges must be an array",
    );
    const repeated = '{"exchanges":[{"request":{"method":"GET","method":"GET"}}]}';
    expect(problems(await read({ "a.json": repeated }))[0]).toContain("repeats a key");
    const response = '"response":{"status":200,"headers":{},"body":{"a":1,"a":2}}';
    const body = `{"exchanges":[{"request":{"method":"GET","path":"/3/a"},${response}}]}`;
    expect(problems(await read({ "a.json": body }))).toEqual([]);
  });
});

describe("what a recording leaves out", () => {
  const request = { method: "POST", path: "/3/movie/{movie_id}/rating" };
  const body = { success: true, status_code: 1, status_message: "text" };
  const outcome = async (file: object) => outcomeOf((await readAll(file))[0]!);

  it("the headers are not reported as missing, unless the recording has an empty object", async () => {
    const session = { request: { method: "GET", path: "/3/authentication/guest_session/new" } };
    const response = {
      status: 200,
      body: { success: true, expires_at: "x", guest_session_id: "x" },
    };
    expect(await outcome({ ...session, response })).not.toContain("http/missing-content-type");
    const stated = await outcome({ ...session, response: { ...response, headers: {} } });
    expect(stated).toContain("http/missing-content-type");
  });

  it("a request body is not reported as missing if the recording says that it was not recorded", async () => {
    const response = { status: 201, headers: json, body };
    expect(await outcome({ request, response })).toEqual(["request/invalid-body"]);
    const unrecorded = { ...request, isBodyUnrecorded: true };
    expect(await outcome({ request: unrecorded, response })).toEqual(["body not recorded"]);
  });

  it("a path template matches its operation, and a list of names is the query", async () => {
    const template = { method: "GET", path: "/3/movie/{movie_id}/keywords", query: ["language"] };
    const response = { status: 200, headers: json, body: { id: 7, keywords: [] } };
    const exchange = only(
      await read({ "a.json": { request: template, response } }, { operations }),
    );
    expect(exchange.request.query).toEqual({ language: undefined });
    expect(outcomeOf(exchange)).toEqual([]);
  });

  it("without a status, the body is compared with the first documented response that accepts it", async () => {
    const movie = { method: "GET", path: "/3/movie/{movie_id}/keywords" };
    const failure = { success: false, status_code: 7, status_message: "text" };
    const without = (given: object) => outcome({ request: movie, response: { body: given } });
    expect(await without({ id: 7, keywords: [] })).toEqual([]);
    expect(await without(failure)).toEqual([]);
    expect(await without({ id: "7", keywords: [] })).toEqual(["schema/type"]);
    const [wrong] = await readAll({
      request: movie,
      response: { body: { id: "7", keywords: [] } },
    });
    expect(checkExchange(wrong!, description)[0]).toMatchObject({ status: undefined });
  });

  it("without a request, the exchange is not validated", async () => {
    expect(await outcome({ response: { status: 401, body } })).toEqual(["request not recorded"]);
  });
});
