import { expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Description, Exchange } from "../../../src/contract/engine/types.js";
import { description } from "../../../src/generated/description.js";
import { library } from "./corpus.js";
import { exchange, fixture, own } from "./support.js";

const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ verdict }) => verdict !== "gap-observed")
    .map(({ rule, verdict, expected, actual }) => [rule, verdict, expected, actual]);
const empty = (each: Exchange, status: number): Exchange => {
  const { body: _, ...response } = each.response;
  return { ...each, response: { ...response, status } };
};

it("finds a success without a body in place of the described one, whatever `default` describes", () => {
  for (const each of own.filter(({ response }) => response.status === 200)) {
    for (const status of [204, 205, 304])
      expect(found(empty(each, status)), each.name).toEqual([
        ["surface/status", "violation", "200", `${status}`],
      ]);
  }
});

it("finds another success and a redirect with the body of the described one", () => {
  const genres = own.find(({ operation }) => operation === "genres.tvList");
  for (const status of [201, 302]) {
    const moved = { ...genres!, response: { ...genres!.response, status } };
    expect(found(moved)).toEqual([["surface/status", "violation", "200", `${status}`]]);
  }
});

it("takes `default` for every failure, and for a success where no other is described", async () => {
  const failure = { status: 418, body: { message: "No." } };
  expect(found(exchange("GET", "/items", failure), library)).toEqual([]);
  const get = library.operations.find(({ id }) => id === "items.list");
  const responses = get!.responses.filter(({ status }) => status === "default");
  const one = { ...library, operations: [{ ...get!, responses }] };
  expect(found(exchange("GET", "/items", { ...failure, status: 200 }), one)).toEqual([]);
  expect(found(exchange("GET", "/items", { status: 204 }), one)).toEqual([
    ["surface/empty-body", "violation", "a body of application/json", "no body"],
  ]);
});

it("finds that a body is missing which a range of statuses describes, and none where none is described", async () => {
  const zoo = await fixture("zoo.yaml");
  expect(found(exchange("GET", "/animals", { status: 204, headers: {} }), zoo)).toEqual([
    ["surface/empty-body", "violation", "a body of application/json", "no body"],
  ]);
  expect(found(exchange("DELETE", "/books/1", { status: 204, headers: {} }), library)).toEqual([]);
});
