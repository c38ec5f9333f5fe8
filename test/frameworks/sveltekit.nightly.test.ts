import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { freePort, TOKEN } from "../support/server.js";
import { frameworkFile, serveForFile, startApp } from "./frameworks.js";
import { inFolder } from "./recipe-files.js";

const sandbox = createSandbox();
const requests: string[] = [];
let isFailing = false;
let app: string;

beforeAll(async () => {
  const baseUrl = await serveForFile(async (request) => {
    requests.push(`${request.headers.get("authorization")} ${new URL(request.url).pathname}`);
    if (!isFailing) return sandbox.fetch(request);
    isFailing = false;
    return new Response(null, { status: 503, headers: { "retry-after": "1" } });
  });
  const port = `${await freePort()}`;
  app = `http://127.0.0.1:${port}`;
  await startApp({
    name: "sveltekit",
    files: inFolder("src"),
    build: [frameworkFile("vite/bin/vite.js"), "build"],
    start: ["build"],
    env: { PUBLIC_BASE_URL: baseUrl, PUBLIC_TOKEN: TOKEN, HOST: "127.0.0.1", PORT: port },
  });
});
beforeEach(() => void requests.splice(0));

/** Opens a page. @returns the status and the heading */
async function open(path: string): Promise<[status: number, heading?: string | undefined]> {
  const response = await fetch(app + path);
  return [response.status, /<h1>(.*)<\/h1>/.exec(await response.text())?.[1]];
}

const request = `Bearer ${TOKEN} /3/movie/701`;

describe.each(["universal", "server"])("the `fetch` function of a %s `load` function", (kind) => {
  test("a page shows a movie", async () => {
    expect(await open(`/${kind}/701`)).toEqual([200, "Night Ferry"]);
    expect(requests).toEqual([request]);
  });

  test("a 503 response with a Retry-After header is retried", async () => {
    isFailing = true;
    expect(await open(`/${kind}/701`)).toEqual([200, "Night Ferry"]);
    expect(requests).toEqual([request, request]);
  });

  test("a 404 response becomes an ApiError", async () => {
    const heading = expect.stringMatching(/^movies\.details: 404 .*\(status_code 34\)$/) as string;
    expect(await open(`/${kind}/1`)).toEqual([404, heading]);
  });
});
