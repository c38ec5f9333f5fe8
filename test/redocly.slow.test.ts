import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { withExamples } from "../scripts/shared/with-examples.js";
import { redocly, type Output } from "../scripts/shared/redocly.js";
import { serveSandbox } from "../src/cli/serve-sandbox.js";
import { operations } from "../src/generated/operations.js";
import type { Json } from "../src/openapi/description.js";
import { createSandbox } from "../src/sandbox/index.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** Runs a Redocly command with Redocly's own rules. Returns the output, whatever the exit code is. */
async function run(folder: string, ...args: string[]): Promise<Output> {
  const config = join(folder, "redocly.yaml");
  await writeFile(config, "extends: [recommended]\n");
  return redocly([...args, "--config", config]).catch((error: Output) => error);
}

describe.each(["catalogue", "full"])("Redocly", { timeout: 120_000 }, (name) => {
  const file = join(root, `openapi/${name}.yaml`);

  it(`redocly lint finds no errors in ${name}.yaml, and no invalid example responses`, async () => {
    const folder = await scratchFolder();
    const published = join(folder, `${name}.openapi.json`);
    const document = parse(await readFile(file, "utf8")) as Json;
    await writeFile(published, JSON.stringify(withExamples(document)));
    for (const each of [file, published]) {
      const { stdout } = await run(folder, "lint", each, "--format=json");
      expect(JSON.parse(stdout), each).toMatchObject({ totals: { errors: 0, ignored: 0 } });
      expect(stdout, each).not.toContain("no-invalid-media-type-examples");
    }
  });

  it(`redocly bundle keeps everything in ${name}.yaml, and redocly diff finds no changes`, async () => {
    const folder = await scratchFolder();
    const bundled = join(folder, "bundled.json");
    await run(folder, "bundle", file, "--output", bundled);
    const document: unknown = parse(await readFile(file, "utf8"));
    expect(JSON.parse(await readFile(bundled, "utf8"))).toEqual(document);
    const { stdout } = await run(folder, "diff", file, bundled, "--format=json");
    expect(JSON.parse(stdout)).toMatchObject({ changes: [] });
  });

  it(`redocly build-docs writes a page with every operation in ${name}.yaml`, async () => {
    const folder = await scratchFolder();
    const page = join(folder, "page.html");
    await run(folder, "build-docs", file, "--output", page);
    const html = await readFile(page, "utf8");
    const ids = (await readFile(file, "utf8")).match(/(?<=^ +operationId: ).*/gm)!;
    expect(ids.filter((id) => !html.includes(`"${id}"`))).toEqual([]);
  });
});

test("redocly respect runs none of the workflows that redocly generate-arazzo writes, as docs/recipes.md says", async () => {
  const folder = await scratchFolder();
  const workflows = join(folder, "workflows.yaml");
  const description = join(root, "openapi/catalogue.yaml");
  await redocly(["generate-arazzo", description, "--output-file", workflows]);
  const { url, close } = await serveSandbox(createSandbox().fetch, { host: "127.0.0.1", port: 0 });
  const server = `catalogue=${url}`;
  const respect = redocly(["respect", workflows, "--server", server]);
  const { stdout, stderr } = await respect.catch((error: Output) => error);
  await close();
  const count = Object.keys(operations).length;
  expect(stdout + stderr).toContain(`Workflows: ${count} failed, ${count} total`);
  expect(stdout + stderr).toContain("Unknown operationId movies at");
  expect(await readFile(join(root, "docs/recipes.md"), "utf8")).toContain("`redocly respect`");
});
