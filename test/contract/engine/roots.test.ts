import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { responseFor } from "../../../src/contract/engine/route.js";
import { at } from "../../../src/contract/engine/pointer.js";
import type { Description, Exchange, Json } from "../../../src/contract/engine/types.js";
import { isObject, unionsOf } from "../../../src/contract/engine/schema.js";
import { placesIn } from "../../../src/contract/engine/schema.js";
import { description } from "../../../src/generated/description.js";
import { besideProject, itWith } from "../../support/shared.js";
import { library } from "./corpus.js";
import { describing, exchange, own } from "./support.js";

const operations = description.operations;
const folder = besideProject("recorded");
const parsed = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Json;
const jsonIn = (within: string) =>
  readdirSync(join(folder, within)).filter((file) => file.endsWith(".json"));

/** A body as an answer of an operation of the catalogue. */
function answer(operation: string, status: number, body: Json): Exchange {
  const described = operations.find(({ id }) => id === operation)!;
  const { method, path } = described;
  const due = responseFor(described, status);
  const headers = Object.fromEntries(due!.headers.map(({ name }) => [name, "https://x.example/"]));
  const sent = described.bodyRequired ? { access_token: "token" } : undefined;
  const request = { method, path: path.replaceAll(/\{.+?\}/g, "1"), ...(sent && { body: sent }) };
  return {
    ...exchange(method, path, {
      status,
      headers: { "content-type": "application/json", ...headers },
      body,
    }),
    request,
    operation,
  };
}

const real = () =>
  jsonIn("").map((file) => answer(file.split(/\.\d+\.json$/)[0]!, 200, parsed(file)));

/** Every exchange with the tag of one object changed to that of another branch, and where. */
function* mistagged(exchanges: Exchange[]): Generator<{ pointer: string; exchange: Exchange }> {
  for (const each of exchanges) {
    const { body = null, status } = each.response;
    const operation = operations.find(({ id }) => id === each.operation)!;
    const { schema = "" } = responseFor(operation, status)!.media[0]!;
    const changes: { pointer: string; name: string; value: Json }[] = [];
    for (const { pointer, parts, value } of placesIn({ description, schema, body })) {
      for (const union of parts.flatMap(unionsOf)) {
        for (const { tag } of description.unions[union.pointer] ?? []) {
          for (const other of (isObject(value) && tag?.in) || [])
            if (other !== at(value, `/${tag!.name}`))
              changes.push({ pointer, name: tag!.name, value: other });
        }
      }
    }
    for (const { pointer, name, value } of changes) {
      const changed = structuredClone(body);
      (at(changed, pointer) as { [name: string]: Json })[name] = value;
      const response = { ...each.response, body: changed };
      yield { pointer: `${pointer}/${name}`, exchange: { ...each, response } };
    }
  }
}

/** Judges every mistagged exchange: the tag is one finding, and all others are those of the exchange as it was. */
function expectTags(exchanges: Exchange[], count: number): void {
  const before = new Map(exchanges.map((each) => [each.name, checkExchange(each, description)]));
  const changed = [...mistagged(exchanges)];
  for (const { pointer, exchange: each } of changed) {
    const findings = checkExchange(each, description);
    const tag = findings.findIndex(({ rule }) => rule === "value/tag");
    expect(findings.splice(tag, 1), each.name).toMatchObject([{ rule: "value/tag", pointer }]);
    // Compared by `toEqual`, the thousands of places of one finding take longer than all else.
    const isSame = isDeepStrictEqual(findings, before.get(each.name));
    expect(isSame, `${each.name} ${pointer}`).toBe(true);
  }
  expect(changed).toHaveLength(count);
}

/** The findings of an exchange, without what the source leaves open. */
const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ verdict }) => verdict !== "gap-observed")
    .map(({ rule, pointer }) => `${rule} ${pointer}`)
    .toSorted();

describe("a wrong tag is one finding, and changes no other", () => {
  itWith("recorded", "in every tagged object of the real bodies of up to 60 kB", () => {
    const small = real().filter(({ response }) => JSON.stringify(response.body).length < 60_000);
    expectTags(small, 100);
  });

  it("in every tagged object of every recording", () => {
    expectTags(own, 50);
  });

  it("in a list of any length", () => {
    const film = { id: 1, kind: "book", title: "Alien", minutes: 117, rating: 1 };
    const items = Array.from({ length: 300 }, () => film);
    const body = { total: 300, items };
    const findings = checkExchange(exchange("GET", "/items", { body }), library);
    expect(findings.map(({ rule, recording }) => [rule, recording.length])).toEqual([
      ["drift/field", 300],
      ["value/tag", 300],
    ]);
  });

  const tagged = (tag: Json, properties: { [name: string]: Json }): Json => ({
    type: "object",
    required: ["tag", ...Object.keys(properties)],
    properties: { tag: { const: tag }, ...properties },
  });
  const text = { type: "string" };
  const number = { type: "integer" };
  const one = (schema: Json, body: Json) =>
    found(exchange("GET", "/one", { body }), describing(schema));

  it.each<[string, Json, Json, string[]]>([
    [
      "beside a wrong value, which is wrong with the other tag too",
      { oneOf: [tagged("a", { title: text, pages: number }), tagged("b", { minutes: number })] },
      { tag: "b", title: "1", pages: "2" },
      ["value/tag /tag", "value/type /pages"],
    ],
    [
      "that is told by the values of the same fields",
      { oneOf: [tagged("a", { x: number, y: number }), tagged("b", { x: text, y: text })] },
      { tag: "b", x: 1, y: 2, z: 3 },
      ["drift/field /z", "value/tag /tag"],
    ],
    [
      "whose fields are in a member",
      {
        oneOf: [
          tagged("a", {
            attributes: { type: "object", required: ["title"], properties: { title: text } },
          }),
          tagged("b", {
            attributes: { type: "object", required: ["minutes"], properties: { minutes: number } },
          }),
        ],
      },
      { tag: "b", attributes: { title: "1" } },
      ["value/tag /tag"],
    ],
    [
      "around another",
      {
        oneOf: [
          tagged("a", {
            place: { oneOf: [tagged(1, { city: text }), tagged(2, { floor: number, room: text })] },
            title: text,
            pages: number,
            isbn: text,
          }),
          tagged("b", { minutes: number }),
        ],
      },
      {
        tag: "b",
        place: { tag: 1, floor: 1, room: "2" },
        title: "1",
        pages: 2,
        isbn: "3",
      },
      ["value/tag /place/tag", "value/tag /tag"],
    ],
  ])("%s", (_, schema, body, expected) => {
    expect(one(schema, body)).toEqual(expected);
  });

  it("is not made of fields that are missing with any tag", () => {
    const schema = {
      oneOf: [tagged("a", { x: text, y: text, z: text, w: text }), tagged("b", { v: text })],
    };
    expect(one(schema, { tag: "a" })).toEqual(
      ["x", "y", "z", "w"].map((name) => `value/required /${name}`).toSorted(),
    );
  });

  it("is not made of two wrong values where the other branch takes anything", () => {
    const credits = own.find(({ name }) => name === "people.combinedCredits/typical")!;
    const body = structuredClone(credits.response.body) as { cast: { [name: string]: Json }[] };
    const index = body.cast.findIndex(({ media_type: tag }) => tag === "movie");
    Object.assign(body.cast[index]!, { title: null, id: "1", award: 1 });
    const changed = { ...credits, response: { ...credits.response, body: body as Json } };
    const entry = `/cast/${index}`;
    expect(found(changed, description)).toEqual([
      `drift/field ${entry}/award`,
      `value/null ${entry}/title`,
      `value/type ${entry}/id`,
    ]);
  });
});

describe("the body of another status is one finding, beside what is wrong with it under its own", () => {
  const under = (status: number, each: Exchange): Exchange => {
    return answer(each.operation!, status, each.response.body!);
  };
  // Of a success that may be anything, no status can be told.
  const isTold = ({ operation }: Exchange) => operation !== "authentication.convertV4Session";

  itWith("recorded", "for every real success under 404", () => {
    for (const each of real().filter(isTold))
      expect(found(under(404, each))).toEqual(["surface/wrong-status ", ...found(each)].toSorted());
  });

  it("for every recorded success under 500, and every recorded error under 200", () => {
    for (const each of own) {
      const status = each.response.status === 200 ? 500 : 200;
      if (status === 500 && !isTold(each)) continue;
      expect(found(under(status, each)), each.name).toEqual(["surface/wrong-status "]);
    }
  });

  itWith("recorded", "for every real error envelope under 200", () => {
    const bodies = jsonIn("errors").map(
      (file) => (parsed(`errors/${file}`) as { body: Json }).body,
    );
    const envelopes = bodies.filter((body) => at(body, "/success") === false);
    expect(envelopes).toHaveLength(4);
    for (const each of own) {
      for (const body of envelopes)
        expect(found(answer(each.operation!, 200, body))).toEqual(["surface/wrong-status "]);
    }
    const limited = { status_code: 25, status_message: "Too many." };
    expect(found(answer("networks.details", 200, limited))).toEqual([
      "surface/wrong-status ",
      "value/required /success",
    ]);
  });

  it("but not of one that takes anything", () => {
    const convert = answer("authentication.convertV4Session", 401, { error: "x", path: "/" });
    expect(found(convert)).toHaveLength(5);
  });

  it.each<[string, Json, Json, string[]]>([
    ["may be anything", {}, { success: false, code: 1 }, ["surface/wrong-status "]],
    [
      "requires nothing",
      { type: "object", properties: { id: {} } },
      { success: false, code: 1 },
      ["surface/wrong-status "],
    ],
    ["may be anything", {}, { success: false }, []],
    ["may be anything", {}, { success: false, code: 1, id: 1 }, []],
    ["may be anything", {}, { success: true, code: 1 }, []],
    ["may be anything", {}, { code: 1 }, []],
    ["requires it too", { required: ["code"] }, { success: false, code: 1 }, []],
  ])("also under a success that %s: %j, %j", (_, schema, body, expected) => {
    const envelope = {
      type: "object",
      required: ["code"],
      properties: { success: { const: false }, code: { type: "integer" } },
    };
    const answering = (of: Json) => ({ content: { "application/json": { schema: of } } });
    const responses = { "200": answering(schema), default: answering(envelope) };
    const by = describing(schema, {}, { operation: { responses } });
    expect(found(exchange("GET", "/one", { body }), by)).toEqual(expected);
  });

  it("but not for a field alone that nobody described", () => {
    const narrow = { type: "object", properties: { total: { type: "integer" } } };
    const wide = { type: "object", properties: { total: {}, location: { type: "string" } } };
    const one = describing(narrow, { Wide: wide });
    const [get] = one.operations;
    const media = [{ name: "application/json", pointer: "", schema: "/components/schemas/Wide" }];
    const responses = [...get!.responses, { status: "201", pointer: "", headers: [], media }];
    const both = { ...one, operations: [{ ...get!, responses }] };
    const both200 = exchange("GET", "/one", { body: { location: "/1" } });
    expect(found(both200, both)).toEqual(["drift/field /location"]);
  });
});
