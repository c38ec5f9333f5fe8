import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { mutants } from "../../../scripts/prove/mutants.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { at } from "../../../src/contract/engine/pointer.js";
import { responseFor } from "../../../src/contract/engine/route.js";
import type { Description, Exchange, Json } from "../../../src/contract/engine/types.js";
import { description } from "../../../src/generated/description.js";
import { besideProject, itWith } from "../../support/shared.js";
import { library } from "./corpus.js";
import { describing, exchange, own } from "./support.js";

const folder = besideProject("recorded");
const parsed = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Json;
const jsonIn = (within: string) =>
  readdirSync(join(folder, within)).filter((file) => file.endsWith(".json"));

/** A body as the response of an operation of the catalogue. */
function responding(operation: string, status: number, body: Json): Exchange {
  const described = description.operations.find(({ id }) => id === operation)!;
  const { method, path, bodyRequired } = described;
  const due = responseFor(described, status)!;
  const headers = Object.fromEntries(due.headers.map(({ name }) => [name, "https://x.example/"]));
  const response = { status, headers: { "content-type": "application/json", ...headers }, body };
  const recorded = own.find((each) => each.operation === operation)!;
  const sent = bodyRequired ? { body: recorded.request.body! } : {};
  const request = { method, path: path.replaceAll(/\{.+?\}/g, "1"), ...sent };
  return exchange(method, path, response, { request, operation });
}

const real = () =>
  jsonIn("").map((file) => responding(file.split(/\.\d+\.json$/)[0]!, 200, parsed(file)));

/** Changes each tag of each exchange: the tag is one finding, and the others remain unchanged. */
function expectTags(exchanges: Exchange[], count: number): void {
  let changed = 0;
  for (const each of exchanges) {
    const before = checkExchange(each, description);
    for (const { operator, place, exchange: mutant } of mutants(each, description)) {
      if (operator !== "tag of another branch") continue;
      const findings = checkExchange(mutant, description);
      const index = findings.findIndex(({ rule }) => rule === "value/tag");
      const [tag] = findings.splice(index, 1);
      expect(tag, each.name).toMatchObject({ rule: "value/tag", pointer: place });
      // `toEqual` is too slow for thousands of places of one finding.
      expect(isDeepStrictEqual(findings, before), `${each.name} ${place}`).toBe(true);
      changed += 1;
    }
  }
  expect(changed).toBe(count);
}

/** The findings of an exchange, without gaps. */
const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ verdict }) => verdict !== "gap-observed")
    .map(({ rule, pointer }) => `${rule} ${pointer}`)
    .toSorted();

describe("a wrong tag is one finding, and does not affect other objects", () => {
  itWith("recorded", "in every tagged object of real bodies up to 60 kB", () => {
    const small = real().filter(({ response }) => JSON.stringify(response.body).length < 60_000);
    expectTags(small, 100);
  });

  it("in every tagged object of every recording", () => {
    expectTags(own, 50);
  });

  it("in a list of any length", () => {
    const film = { id: 1, kind: "book", title: "Alien", minutes: 117, rating: 1 };
    const body = { total: 300, items: Array.from({ length: 300 }, () => film) };
    const findings = checkExchange(exchange("GET", "/items", { body }), library);
    expect(findings.map(({ rule, recording }) => [rule, recording.length])).toEqual([
      ["drift/field", 300],
      ["value/tag", 300],
    ]);
  });

  const text = { type: "string" };
  const number = { type: "integer" };
  const tagged = (tag: Json, properties: { [name: string]: Json }): Json => ({
    type: "object",
    required: ["tag", ...Object.keys(properties)],
    properties: { tag: { const: tag }, ...properties },
  });
  const inner = { oneOf: [tagged(1, { city: text }), tagged(2, { floor: number, room: text })] };
  const outer = tagged("a", { place: inner, title: text, pages: number, isbn: text });
  const four = tagged("a", { x: text, y: text, z: text, w: text });

  it.each<[string, Json, Json, string[]]>([
    [
      "next to a value that is also wrong with the other tag",
      { oneOf: [tagged("a", { title: text, pages: number }), tagged("b", { minutes: number })] },
      { tag: "b", title: "1", pages: "2" },
      ["value/tag /tag", "value/type /pages"],
    ],
    [
      "around another wrong tag",
      { oneOf: [outer, tagged("b", { minutes: number })] },
      { tag: "b", place: { tag: 1, floor: 1, room: "2" }, title: "1", pages: 2, isbn: "3" },
      ["value/tag /place/tag", "value/tag /tag"],
    ],
    [
      "but not if the fields are missing with any tag",
      { oneOf: [four, tagged("b", { v: text })] },
      { tag: "a" },
      ["w", "x", "y", "z"].map((name) => `value/required /${name}`),
    ],
  ])("%s", (_, schema, body, expected) => {
    expect(found(exchange("GET", "/one", { body }), describing(schema))).toEqual(expected);
  });

  it("but not if two values are wrong and the other branch accepts anything", () => {
    const credits = own.find(({ name }) => name === "people.combinedCredits/typical")!;
    const body = structuredClone(credits.response.body) as { cast: { [name: string]: Json }[] };
    const index = body.cast.findIndex(({ media_type: tag }) => tag === "movie");
    Object.assign(body.cast[index]!, { title: null, id: "1", award: 1 });
    const changed = { ...credits, response: { ...credits.response, body: body as Json } };
    const entry = `/cast/${index}`;
    expect(found(changed)).toEqual([
      `drift/field ${entry}/award`,
      `value/null ${entry}/title`,
      `value/type ${entry}/id`,
    ]);
  });
});

describe("the body of another status is one finding, in addition to other faults in the body", () => {
  const under = (status: number, { operation, response }: Exchange) =>
    responding(operation!, status, response.body!);
  // A success without a schema does not prove a status.
  const isTyped = ({ operation }: Exchange) => operation !== "authentication.convertV4Session";

  itWith("recorded", "for every real 2xx body with status 404", () => {
    for (const each of real().filter(isTyped))
      expect(found(under(404, each))).toEqual(["surface/wrong-status ", ...found(each)].toSorted());
  });

  it("for every recorded 2xx body with status 500, and every recorded error with status 200", () => {
    for (const each of own) {
      const status = each.response.status === 200 ? 500 : 200;
      if (status === 500 && !isTyped(each)) continue;
      expect(found(under(status, each)), each.name).toEqual(["surface/wrong-status "]);
    }
  });

  itWith("recorded", "for every real error envelope with status 200", () => {
    const bodies = jsonIn("errors").map(
      (file) => (parsed(`errors/${file}`) as { body: Json }).body,
    );
    const envelopes = bodies.filter((body) => at(body, "/success") === false);
    expect(envelopes).toHaveLength(4);
    for (const { operation } of own)
      for (const body of envelopes)
        expect(found(responding(operation!, 200, body))).toEqual(["surface/wrong-status "]);
  });

  it("even for an envelope that lacks a field, but not for a body that matches neither status", () => {
    const limited = { status_code: 25, status_message: "Too many." };
    for (const operation of ["networks.details", "search.multi"])
      expect(found(responding(operation, 200, limited))).toEqual([
        "surface/wrong-status ",
        "value/required /success",
      ]);
    const convert = responding("authentication.convertV4Session", 401, { error: "x", path: "/" });
    expect(found(convert)).toHaveLength(5);
  });

  const envelope = {
    type: "object",
    required: ["code"],
    properties: { success: { const: false }, code: { type: "integer" } },
  };
  it.each<[string, Json, Json, string[]]>([
    ["may be anything", {}, { success: false, code: 1 }, ["surface/wrong-status "]],
    ["may be anything", {}, { success: false, code: 1, id: 1 }, []],
    ["may be anything", {}, { success: true, code: 1 }, []],
    ["may be anything", {}, { code: 1 }, []],
    ["also requires the field", { required: ["code"] }, { success: false, code: 1 }, []],
  ])("if the body of a 2xx response %s: %j, %j", (_, schema, body, expected) => {
    const responseOf = (of: Json) => ({ content: { "application/json": { schema: of } } });
    const responses = { "200": responseOf(schema), default: responseOf(envelope) };
    const by = describing(schema, {}, { operation: { responses } });
    expect(found(exchange("GET", "/one", { body }), by)).toEqual(expected);
  });
});
