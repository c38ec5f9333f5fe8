import type { Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { exchange, fixture } from "./support.js";

/** The OpenAPI description of a library, for the exchanges in this file. */
export const library = await fixture("library.yaml");

const json = "application/json";
const book = {
  id: 1,
  kind: "book",
  title: "Dune",
  author: { name: "Frank Herbert", born: "1920-10-08" },
  isbn: null,
  published: "1965-08-01",
  tags: ["desert"],
};
const film = { id: 2, kind: "film", title: "Alien", minutes: 117 };
const loan = { book: 1, until: "2026-01-31T12:00:00Z" };
const shelves = { AB: { room: "1", books: [1] }, CD: { room: "2" } };

const headers = { "content-type": json, etag: '"1"', "x-shelf": "7" };
const getBook = (body: object, more: Partial<Exchange["response"]> = {}) =>
  exchange("GET", "/books/1", { headers, body: { ...book, ...body } as Json, ...more });
const author = (fields: object) => getBook({ author: fields });
const without = (name: string, more: object = {}) => {
  const { [name]: _, ...rest } = book as Record<string, unknown>;
  return exchange("GET", "/books/1", { headers, body: { ...rest, ...more } as Json });
};
const bookWith = (response: Partial<Exchange["response"]>) =>
  exchange("GET", "/books/1", { headers, body: book, ...response });
const sending = (changed: Record<string, string>) =>
  bookWith({ headers: { ...headers, ...changed } });
const list = (...items: object[]) =>
  exchange("GET", "/items", { body: { total: items.length, items } as Json });
const shelf = (body: object) => exchange("GET", "/shelves", { body: body as Json });
const lend = (request: object, body: object, status = 201) => ({
  ...exchange("POST", "/loans", { status, body: body as Json }),
  request: { method: "POST", path: "/loans", body: request as Json },
});
const { "x-shelf": _shelf, etag: _etag, ...typeOnly } = headers;

/** Exchanges that each have one mismatch, with the rule and the pointer of the expected finding. */
const mismatches: Record<string, [exchange: Exchange, rule: string, pointer?: string]> = {
  "a missing field": [without("title"), "schema/required", "/title"],
  "a missing nested field": [author({ born: null }), "schema/required", "/author/name"],
  "null in a field that is not nullable": [getBook({ title: null }), "schema/type", "/title"],
  "a string instead of a number": [getBook({ id: "1" }), "schema/type", "/id"],
  "a fraction instead of an integer": [getBook({ id: 1.5 }), "schema/type", "/id"],
  "an array instead of an object": [getBook({ author: [] }), "schema/type", "/author"],
  "an object instead of an array": [getBook({ tags: {} }), "schema/type", "/tags"],
  "an invalid date": [getBook({ published: "1965-13-01" }), "schema/format", "/published"],
  "an invalid link": [getBook({ link: "see there" }), "schema/format", "/link"],
  "a string that does not match its pattern": [
    author({ name: "F", born: "1920" }),
    "schema/pattern",
    "/author/born",
  ],
  "a value that differs from the `const` in its schema": [
    getBook({ kind: "novel" }),
    "schema/const",
    "/kind",
  ],
  "a value that `not` excludes": [getBook({ price: 0 }), "schema/not", "/price"],
  "an undeclared field": [getBook({ pages: 412 }), "undeclared/property", "/pages"],
  "an undeclared nested field": [
    author({ name: "F", died: "1986" }),
    "undeclared/property",
    "/author/died",
  ],
  "a renamed field": [without("title", { titel: "Dune" }), "schema/required", "/title"],
  "a renamed optional field": [getBook({ prize: 9 }), "undeclared/property", "/prize"],
  "an unknown discriminator": [
    list(book, { ...film, kind: "song" }),
    "schema/oneOf",
    "/items/1/kind",
  ],
  "an item with the discriminator of a different branch": [
    list({ ...film, kind: "book" }),
    "undeclared/property",
    "/items/0/minutes",
  ],
  "an item with a property of a different branch": [
    list(book, { ...film, isbn: null }),
    "undeclared/property",
    "/items/1/isbn",
  ],
  "an item without a discriminator": [
    list({ id: 2, title: "Alien", minutes: 117 }),
    "schema/required",
    "/items/0/kind",
  ],
  "too few items": [shelf({ AB: { room: "1", books: [] } }), "schema/minItems", "/AB/books"],
  "an invalid map key": [shelf({ ...shelves, ab: { room: "3" } }), "schema/propertyNames", "/ab"],
  "a field that no schema in an allOf declares": [
    shelf({ AB: { room: "1", height: 2 } }),
    "undeclared/property",
    "/AB/height",
  ],
  "an error body with status 200": [
    bookWith({ body: { message: "No." } }),
    "http/status-body-mismatch",
  ],
  "an undocumented status": [bookWith({ status: 500 }), "http/undocumented-status"],
  "an undocumented media type": [
    sending({ "content-type": "text/html" }),
    "http/undocumented-media-type",
  ],
  "a missing media type": [bookWith({ headers: { etag: '"1"' } }), "http/missing-content-type"],
  "a missing header": [bookWith({ headers: typeOnly }), "http/missing-header"],
  "a malformed header": [sending({ "x-shelf": "seven" }), "http/invalid-header"],
  "an empty body": [exchange("GET", "/books/1", { headers }), "http/missing-body"],
  "a truncated body": [exchange("GET", "/books/1", { headers, text: '{"id":1' }), "http/not-json"],
  "an undocumented endpoint": [exchange("GET", "/authors/1", { body: {} }), "http/unknown-path"],
  "an undocumented method": [exchange("PUT", "/books/1", { body: {} }), "http/unknown-method"],
};
export const broken = Object.entries(mismatches).map(
  ([name, [each, rule, pointer = ""]]) => [name, each, rule, pointer] as const,
);

/** Valid exchanges that look invalid. */
export const clean: [name: string, exchange: Exchange][] = [
  [
    "optional fields that are absent or null",
    getBook({ author: { name: "F", born: null }, tags: [] }),
  ],
  [
    "a documented error",
    exchange("GET", "/books/9", { status: 404, body: { message: "No such book.", code: 2 } }),
  ],
  ["a list with items of different kinds", list(book, film, film)],
  [
    "an empty map, and a media type with a parameter",
    exchange("GET", "/shelves", {
      headers: { "content-type": `${json}; charset=utf-8` },
      body: {},
    }),
  ],
  [
    "a literal path that also matches a path template",
    exchange("GET", "/books/newest", { body: book }),
  ],
  [
    "a documented response without a body",
    exchange("DELETE", "/books/1", { status: 204, headers: { date: "now", "x-cache": "HIT" } }),
  ],
  ["a valid request body", lend(loan, loan)],
];
