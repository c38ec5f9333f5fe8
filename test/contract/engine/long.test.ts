import { describe, expect, it } from "vitest";
import { groupFindings } from "../../../src/contract/engine/finding.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Finding, Json } from "../../../src/contract/engine/types.js";
import { describing, exchange } from "./support.js";

const text = { type: "string" };
const items = (...members: object[]) => ({ type: "array", items: { oneOf: members } }) as Json;
const item = (tag: string, name: string) => ({
  type: "object",
  required: ["tag", name],
  properties: { tag: { const: tag }, [name]: text },
});

/** What is found of a body, and how often; `seconds` of this process. */
function found(schema: Json, body: Json) {
  const description = describing(schema);
  const start = process.cpuUsage();
  const findings = checkExchange(exchange("GET", "/one", { body }), description);
  const { user } = process.cpuUsage(start);
  return {
    rules: findings.map(({ rule, recording }) => `${rule} × ${recording.length}`),
    findings,
    seconds: user / 1e6,
  };
}

describe("a list of 8,000 items", () => {
  const list = (make: (index: number) => Json) => Array.from({ length: 8000 }, (_, i) => make(i));

  it("is judged in a few seconds where each item has a wrong value and an undeclared field", () => {
    const schema = { type: "array", items: { type: "object", properties: { a: text } } };
    const { rules, seconds } = found(
      schema,
      list((a) => ({ a, more: 1 })),
    );
    expect(rules).toEqual(["drift/field × 8000", "value/type × 8000"]);
    expect(seconds).toBeLessThan(10);
  });

  it("is judged in a few seconds where each item has a renamed member", () => {
    const schema = { type: "array", items: { type: "object", required: ["title"] } };
    Object.assign(schema.items, { properties: { title: text, year: text } });
    const { rules, findings, seconds } = found(
      schema,
      list(() => ({ titel: "A", titles: "B" })),
    );
    expect(rules).toEqual(["drift/field × 8000", "value/required × 8000"]);
    expect(findings[1]).toMatchObject({ didYouMean: "title" });
    expect(findings[1]?.actual).toContain("`titel`");
    expect(seconds).toBeLessThan(10);
  });

  it("is judged in a few seconds where each item has the tag of another", () => {
    const { rules, seconds } = found(
      items(item("a", "one"), item("b", "two")),
      list((index) => ({ tag: "a", two: `${index}` })),
    );
    expect(rules).toEqual(["value/tag × 8000"]);
    expect(seconds).toBeLessThan(20);
  });
});

it("finds 150,000 undeclared fields of one object", () => {
  const names = Array.from({ length: 150_000 }, (_, index) => [`field${index}`, 1]);
  const { findings } = found(
    { type: "object", properties: { a: text } },
    Object.fromEntries(names),
  );
  expect(findings).toHaveLength(150_000);
}, 120_000);

it("keeps each of 300,000 places of one finding", () => {
  const place = { file: "a.json", line: 1, column: 1, pointer: "/a" };
  const recording = Array.from({ length: 150_000 }, () => place);
  const finding = { fingerprint: "1", recording } as unknown as Finding;
  expect(groupFindings([finding, finding])[0]?.recording).toHaveLength(300_000);
});
