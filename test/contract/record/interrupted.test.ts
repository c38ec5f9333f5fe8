import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeFolder } from "../../../src/cli/write.js";
import { record } from "../../../src/contract/record/record.js";
import { isExchange } from "../../support/exchange.js";
import { root } from "../../support/paths.js";
import { scratchFolder } from "../../support/scratch.js";
import { json, serve } from "../../support/server.js";
import { filesIn, planFile } from "./support.js";

const CASES = 30;
const CHILD = fileURLToPath(new URL("record-child.ts", import.meta.url));
/** So large that a write takes a while. */
const body = {
  results: Array.from({ length: 1500 }, (_, id) => ({ id, name: "a name ".repeat(5) })),
};

const plan = () =>
  planFile(
    Array.from({ length: CASES }, (_, index) => ({
      operation: index % 2 ? "movies.lists" : "movies.changes",
      case: `case-${index}`,
      path: { movie_id: index },
    })),
  );

it("leaves only whole files when it is killed, again and again, and the next run tidies up", async () => {
  const { url, seen } = await serve(json(200, body));
  const out = await scratchFolder();
  const file = await plan();
  const counts: number[] = [];
  let ended: number | undefined;

  for (const [round, signal] of (["SIGKILL", "SIGKILL", "SIGINT"] as const).entries()) {
    const before = seen.length;
    const child = spawn(process.execPath, ["--import", "tsx", CHILD, url, out, file], {
      cwd: root,
    });
    const closed = once(child, "close");
    while (seen.length < before + 4 + 5 * round) await new Promise((done) => setTimeout(done, 1));
    // Somewhere between an answer and the next request.
    await new Promise((done) => setTimeout(done, 3 + 7 * round));
    child.kill(signal);
    expect((await closed)[1]).toBe(signal);
    ended = child.pid;

    const whole = [...filesIn(out)].filter(([name]) => name.endsWith(".json"));
    for (const [name, text] of whole) expect(isExchange(JSON.parse(text)), name).toBe(true);
    counts.push(whole.length);
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts.at(-1)).toBeLessThan(CASES);

  writeFileSync(join(out, `.recording-${ended}`), '{"half');
  const options = { baseUrl: url, out, plan: file, token: "canary-of-a-child", pause: 0 };
  await record({ ...options, plan: await planFile([]) });
  const names = readdirSync(out, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  expect(names.map((each) => each.name).filter((name) => !/^case-\d+\.json$/.test(name))).toEqual(
    [],
  );
});

it("makes a folder that other runs make at the same time", async () => {
  const folder = join(await scratchFolder(), "a/b");
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder)));
  expect(existsSync(folder)).toBe(true);
});

it("leaves alone what another run is still writing", async () => {
  const { url } = await serve(json(200, body));
  const out = await scratchFolder();
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
  const closed = once(child, "close");
  writeFileSync(join(out, `.recording-${child.pid}`), '{"half');
  const options = { baseUrl: url, out, token: "canary-of-a-child", plan: await planFile([]) };
  await record(options);
  expect(readdirSync(out)).toEqual([`.recording-${child.pid}`]);

  child.kill();
  await closed;
  await record(options);
  expect(readdirSync(out)).toEqual([]);
});
