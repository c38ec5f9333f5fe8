import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge } from "../../../src/contract/judge.js";
import { responseFor } from "../../../src/contract/operations.js";
import { at } from "../../../src/contract/pointer.js";
import type { Description, Exchange, Json } from "../../../src/contract/types.js";
import { isObject, unionsOf } from "../../../src/contract/union.js";
import { walk } from "../../../src/contract/walk.js";
import { description } from "../../../src/generated/description.js";
import { besideProject, itWith } from "../../support/shared.js";
import { library } from "./corpus.js";
import { describing, exchange, own } from "./support.js";

const operations = description.operations;
const folder = besideProject("recorded");
const parsed = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Json;
const jsonIn = (at: string) => readdirSync(join(folder, at)).filter((file) => /\.json$/.test(file));

/** A body as an answer of an operation of the catalogue. */
function answer(operation: string, status: number, body: Json): Exchange {
  const { method, path } = operations.find(({ id }) => id === operation)!;
  const due = responseFor(operations.find(({ id }) => id === operation)!, status);
  const headers = Object.fromEntries(due!.headers.map(({ name }) => [name, "https://x.example/"]));
  return {
    ...exchange(method, path.replaceAll(/\{.+?\}/g, "1"), {
      status,
      headers: { "content-type": "application/json", ...headers },
      body,
    }),
    operation,
  };
}

const real = () =>
  jsonIn("").map((file) => answer(file.split(/\.\d+\.json$/)[0]!, 200, parsed(file)));
const successes = own.filter(({ response }) => response.status === 200);

/** Every exchange with the tag of one object changed to that of another branch, and where. */
function* mistagged(exchanges: Exchange[]): Generator<{ pointer: string; exchange: Exchange }> {
  for (const each of exchanges) {
    const { body = null, status } = each.response;
    const operation = operations.find(({ id }) => id === each.operation)!;
    const { schema = "" } = responseFor(operation, status)!.media[0]!;
    const changes: { pointer: string; name: string; value: Json }[] = [];
    walk({ description, schema, body }, ({ pointer, parts, value }) => {
      for (const union of parts.flatMap(unionsOf)) {
        for (const { tag } of description.unions[union.pointer] ?? []) {
          for (const other of (isObject(value) && tag?.in) || [])
            if (other !== at(value, `/${tag!.name}`))
              changes.push({ pointer, name: tag!.name, value: other });
        }
      }
    });
    for (const { pointer, name, value } of changes) {
      const changed = structuredClone(body);
      (at(changed, pointer) as { [name: string]: Json })[name] = value;
      const response = { ...each.response, body: changed };
      yield { pointer: `${pointer}/${name}`, exchange: { ...each, response } };
    }
  }
}

/** Judges every mistagged exchange: the tag is one finding, and all others are those of the exchange as it was. */
function expectTags(exchanges: Exchange[]): number {
  let count = 0;
  for (const { pointer, exchange: changed } of mistagged(exchanges)) {
    const before = exchanges.find(({ name }) => name === changed.name)!;
    const findings = judge(changed, description);
    const tags = findings.filter(({ rule }) => rule === "value/tag");
    expect(
      tags.map((each) => each.pointer),
      changed.name,
    ).toEqual([pointer]);
    const others = findings.filter(({ rule }) => rule !== "value/tag");
    expect(others, `${changed.name} ${pointer}`).toEqual(judge(before, description));
    count += 1;
  }
  return count;
}

const kinds = (each: Exchange, by: Description = description) =>
  judge(each, by)
    .filter(({ verdict }) => verdict !== "gap-observed")
    .map(({ rule, pointer }) => `${rule} ${pointer}`);

describe("a wrong tag is one finding, and changes no other", () => {
  itWith("recorded", "in every tagged object of every real body", () => {
    expect(expectTags(real().map((each, index) => ({ ...each, name: `${index}` })))).toBe(0);
  });

  it("in every tagged object of every recording", () => {
    expect(expectTags(successes)).toBe(0);
  });
});

describe("the body of another status is one finding, beside what is wrong with it under its own", () => {
  const moved = (each: Exchange, status: number): Exchange => ({
    ...each,
    response: { ...each.response, status },
  });
  // Of an answer that may be anything, no status can be told.
  const isTold = ({ operation }: Exchange) => operation !== "authentication.convertV4Session";

  itWith("recorded", "for every real success under 404", () => {
    for (const each of real().filter(isTold))
      expect(kinds(moved(each, 404))).toEqual(
        expect.arrayContaining(["surface/wrong-status ", ...kinds(each)]),
      );
  });
});
