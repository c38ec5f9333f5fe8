import { beforeAll, beforeEach, expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { freePort, TOKEN } from "../support/server.js";
import { frameworkFile, serveForFile, startApp } from "./frameworks.js";
import { recipe as recipeFile, shared } from "./recipe-files.js";

const recipe = recipeFile("app/page.tsx");
const next = frameworkFile("next/dist/bin/next");
const numbered = () => ({ title: `Movie ${requests.length}` });
const sandbox = createSandbox({
  overrides: { "movies.details": numbered, "movies.latest": numbered },
});
const requests: string[] = [];
let app: string;

beforeAll(async () => {
  const baseUrl = await serveForFile(async (request) => {
    requests.push(`${request.headers.get("authorization")} ${new URL(request.url).pathname}`);
    return sandbox.fetch(request);
  });
  const port = `${await freePort()}`;
  app = `http://127.0.0.1:${port}`;
  await startApp({
    name: "next",
    // Next.js renders the recipe's page for every request, so that the test can count requests.
    files: {
      ...shared,
      "app/recipe/page.tsx": `${recipe}\nexport const dynamic = "force-dynamic";\n`,
    },
    build: [next, "build"],
    start: [next, "start", "--hostname", "127.0.0.1", "--port", port],
    env: { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: TOKEN },
  });
});
beforeEach(() => void requests.splice(0));

/** Opens a page. @returns the heading, without React's markers between texts */
async function open(path: string): Promise<string | undefined> {
  const html = await (await fetch(app + path)).text();
  return /<h1>(.*)<\/h1>/.exec(html)?.[1]?.replaceAll("<!-- -->", "");
}

const request = `Bearer ${TOKEN} /3/movie/latest`;

test("two equal calls in one render send one request with React's `cache`, as in the recipe, and two requests without it", async () => {
  expect(await open("/recipe")).toBe("Movie 1, Movie 1");
  expect(requests.splice(0)).toEqual([`Bearer ${TOKEN} /3/movie/701`]);
  expect(await open("/default")).toMatch(/^Movie [12], Movie [12]$/);
  expect(requests).toEqual([request, request]);
});

test("Next.js caches a response with `revalidate` for later renders, even with the default timeout", async () => {
  expect([await open("/revalidated"), await open("/revalidated")]).toEqual(["Movie 1", "Movie 1"]);
  expect(requests).toEqual([request]);
});

test.each(["/route", "/edge"])("the client works in the route handler %s", async (path) => {
  const response = await fetch(app + path);
  expect([response.status, await response.json()]).toEqual([200, { title: "Movie 1" }]);
  expect(requests).toEqual([request]);
});
