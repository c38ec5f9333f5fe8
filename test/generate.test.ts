import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseDescription } from "../scripts/generate/description.js";
import { descriptionFile } from "./support/description.js";

const genres = `        "200":
          description: The genres.
          content:
            application/json:`;

/** The fault, the edit that causes it, text on the reported line, and the message. */
const broken: [fault: string, from: string, to: string, at: string, says: string][] = [
  [
    "an operationId in another form",
    "operationId: search.multi",
    "operationId: search.multi.all",
    "search.multi.all",
    "operationId search.multi.all does not have the form group.method; use two camelCase names",
  ],
  ...["http.latest", "movies.then", "constructor.latest"].map((id): (typeof broken)[number] => [
    `the operationId ${id}`,
    "operationId: movies.latest",
    `operationId: ${id}`,
    `operationId: ${id}`,
    "is reserved; choose another group or method name",
  ]),
  [
    "an operation without a 2xx response",
    genres,
    genres.replace("200", "404"),
    "get:\n      operationId: genres.tvList",
    "the operation has no 2xx response; describe one",
  ],
  [
    "a response without JSON",
    genres,
    genres.replace("application/json", "text/html"),
    genres.slice(0, 50),
    "response 200 has content but no application/json schema; add one",
  ],
  [
    "a range of statuses without content",
    genres,
    `        2XX: { description: Nothing. }\n${genres}`,
    "2XX:",
    "response 2XX has no content; name the status of an empty response",
  ],
  [
    "a request body without JSON",
    "operationId: genres.tvList",
    "requestBody: { content: { text/plain: {} } }\n      operationId: genres.tvList",
    "get:\n      requestBody:",
    "the request body has no application/json schema; add one",
  ],
  [
    "a schema whose name cannot be a type",
    "    Genre:\n",
    "    Movie-Genre: { type: string }\n    Genre:\n",
    "    Movie-Genre:",
    "schema name Movie-Genre is not a valid type name; use letters, digits, and _",
  ],
];

const yaml = await readFile(descriptionFile, "utf8");

it.each(broken)("refuses %s", (_, from, to, at, says) => {
  const edited = yaml.replace(from, () => to);
  expect(edited).not.toBe(yaml);
  const line = edited.slice(0, edited.indexOf(at)).split("\n").length;
  expect(() => parseDescription(edited, "c.yaml")).toThrow(
    expect.objectContaining({ message: expect.stringMatching(`^c.yaml:${line}:\\d+: .*${says}`) }),
  );
});

it("names every problem at once", () => {
  const edited = yaml
    .replace("operationId: search.multi", "operationId: multi")
    .replace("operationId: movies.latest", "operationId: then.latest");
  expect(() => parseDescription(edited, "c.yaml")).toThrow(
    /c\.yaml:\d+:\d+: operationId then\.latest: .*\nc\.yaml:\d+:\d+: operationId multi /,
  );
});
