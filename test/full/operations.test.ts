import { describe, expect, it } from "vitest";
import { listOperations } from "../../src/openapi/document.js";
import { checkExchange } from "../../src/contract/engine/check.js";
import type { Json } from "../../src/openapi/description.js";
import { exampleResponses } from "../../src/generated/example-responses.js";
import { description } from "../../src/generated/full-description.js";
import { operations } from "../../src/generated/full-operations.js";
import { samples } from "../../src/generated/full-samples.js";
import { operations as specified } from "../../src/generated/operations.js";
import { createCatalogue, createSandbox, paginate, type Page } from "../../src/full/index.js";
import { responseSchemas, validateResponse } from "../../src/full/validate.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";

type Method = (...args: unknown[]) => Promise<Json>;

const ids = Object.keys(operations);
const options = { baseUrl: "https://sandbox.test", token: "any", fetch: createSandbox().fetch };
const catalogue = createCatalogue({ ...options, validate: validateResponse });
const methods = catalogue as unknown as Record<string, Record<string, Method>>;

/** Calls a method with the arguments of its typical example response or sample. */
function call(id: string): Promise<Json> {
  const [group, name] = id.split(".") as [string, string];
  const [, path] = operations[id as keyof typeof operations];
  return methods[group]![name]!(
    ...typicalCall({ id, path }, [...exampleResponses, ...samples])!.args,
  );
}

describe("operations of media-catalogue/full", () => {
  it("media-catalogue/full contains every specified operation, and exports a response schema for each of its operations", () => {
    expect(ids).toEqual(expect.arrayContaining(Object.keys(specified)));
    expect(Object.keys(responseSchemas).toSorted()).toEqual(ids.toSorted());
    for (const { id, method, path } of listOperations(description.document))
      expect(operations[id as keyof typeof operations].slice(0, 2)).toEqual([
        method.toLowerCase(),
        path,
      ]);
  });

  it("each sample is valid and has no undeclared property", async () => {
    for (const id of new Set(samples.map(({ operation }) => operation))) {
      const body = await call(id);
      const result =
        await responseSchemas[id as keyof typeof responseSchemas]["~standard"].validate(body);
      expect(result, id).toEqual({ value: body });
    }
  });

  it("the gate accepts the request and the response of each sample", () => {
    for (const { operation, name, request, response } of samples) {
      const exchange = {
        operation,
        name,
        request,
        response,
        locate: () => ({ file: name, line: 1, column: 1 }),
      } as Parameters<typeof checkExchange>[0];
      const findings = checkExchange(exchange, description);
      expect(
        findings.filter(({ category }) => category !== "unspecified"),
        operation,
      ).toEqual([]);
    }
  });

  it("a sample contains the requested ID, but no properties that `append_to_response` adds", () => {
    const bodyOf = (id: string) =>
      samples.find(({ operation }) => operation === id)!.response.body as Record<string, unknown>;
    expect(bodyOf("movies.details")).toMatchObject({
      id: 603,
      title: expect.any(String) as string,
    });
    for (const id of ["movies.details", "tvSeries.details", "people.details"])
      for (const part of ["images", "credits", "changes", "external_ids"])
        expect(bodyOf(id), `${id} ${part}`).not.toHaveProperty(part);
  });

  it("the sample of genres.movieList uses a genre from the example responses", () => {
    const { body } = samples.find(({ operation }) => operation === "genres.movieList")!.response;
    const { genres } = body as { genres: { name: string }[] };
    const known = JSON.stringify(exampleResponses.map(({ response }) => response.body));
    expect(known).toContain(`"genres":[${JSON.stringify(genres[0])}`);
  });

  it("a response schema rejects a value of the wrong type", async () => {
    const movie = (await call("movies.details")) as object;
    const check = responseSchemas["movies.details"]["~standard"].validate({ ...movie, id: "603" });
    expect(await check).toMatchObject({ issues: [{ path: ["id"] }] });
  });

  it("`paginate` stops after one page if a sample list has only one page", async () => {
    const isPage = ({ name, response }: (typeof samples)[number]) =>
      /^(sample|typical)$/.test(name) && (response.body as Partial<Page<Json>>)?.total_pages === 1;
    const page = samples.find(isPage)!;
    const { results } = page.response.body as Page<Json>;
    const items: Json[] = [];
    for await (const each of paginate(() => call(page.operation) as Promise<Page<Json>>))
      items.push(each);
    expect(items).toEqual(results);
  });
});

it("the `sandbox-example` header selects an error response for an operation without example responses", async () => {
  const headers = { "sandbox-example": "not-found" };
  const error = await catalogue.movies.details(603, { headers }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ApiError", operation: "movies.details", status: 404 });
});

describe("the sandbox of media-catalogue", () => {
  const fullOnly = samples.find(
    ({ operation, request }) => !(operation in specified) && request.method === "GET",
  );

  it.skipIf(!fullOnly)(
    "the sandbox of media-catalogue does not serve operations that only the full description has",
    async () => {
      const { createSandbox: createLiteral } = await import("../../src/sandbox/index.js");
      const headers = { authorization: "Bearer any" };
      const { method, path } = fullOnly!.request;
      const statuses = [createLiteral(), createSandbox()].map(async (sandbox) => {
        const response = await sandbox.fetch(`http://sandbox.test${path}`, { method, headers });
        return response.status;
      });
      expect(await Promise.all(statuses)).toEqual([404, 200]);
    },
  );
});
