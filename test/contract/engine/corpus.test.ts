import { expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { broken, clean, library } from "./corpus.js";

it.each(broken)("the gate finds %s", (_, exchange, rule, pointer) => {
  const findings = checkExchange(exchange, library);
  expect(findings.map((each) => [each.rule, each.pointer])).toContainEqual([rule, pointer]);
  // If the discriminator selects the wrong branch, the gate reports each property that this branch does not declare.
  if (rule !== "undeclared/property") expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ category: expect.stringMatching(/violation|undeclared/) });
  expect(findings[0]!.descriptionLocation.line).toBeGreaterThan(1);
});

it.each(clean)("the gate accepts %s", (_, exchange) => {
  expect(checkExchange(exchange, library)).toEqual([]);
});

it("a finding states the location, the expected and actual values, and the fix", () => {
  const [, renamed] = broken.find(([name]) => name === "a renamed field")!;
  const value = "absent, but the undeclared property `titel` is present";
  const pointer = "/title";
  const location = { file: "/titel", line: 1, column: 1, pointer };
  const spec = "/components/schemas/Book/required/1";
  expect(checkExchange(renamed, library)).toEqual([
    {
      rule: "schema/required",
      category: "violation",
      severity: "error",
      count: 1,
      operation: "books.get",
      status: 200,
      pointer,
      expected: "present",
      value,
      didYouMean: "title",
      title: "The property `title` is missing",
      pointerTemplate: pointer,
      occurrences: [{ ...location, exchange: "GET /books/1", status: 200, value, actual: "titel" }],
      descriptionLocation: { file: "library.yaml", line: 72, column: 22, pointer: spec },
      declared: "id kind title author isbn published price link tags extra".split(" "),
      fix: "Send the property `title`, or remove it from `required`.",
      // The 64-bit FNV-1a hash of the rule, the operation, the pointer template, and the location in the description.
      fingerprint: "f5adf9dec4dc3cb7",
    },
  ]);
});

const list = (items: Json[]): Exchange => ({
  ...clean[2]![1],
  response: { ...clean[2]![1].response, body: { total: 3, items } },
});

it("the gate reports the same mismatch in several list items as one finding, regardless of index, line, and value", () => {
  const film = { id: 1, kind: "film", title: "A", minutes: 90 };
  const [three] = checkExchange(
    list([{ ...film, minutes: "1" }, film, { ...film, minutes: 1.5 }]),
    library,
  );
  const [one] = checkExchange(list([film, { ...film, minutes: true }]), library);
  expect(three!.occurrences.map(({ pointer }) => pointer)).toEqual([
    "/items/0/minutes",
    "/items/2/minutes",
  ]);
  expect(one!.fingerprint).toBe(three!.fingerprint);
});
