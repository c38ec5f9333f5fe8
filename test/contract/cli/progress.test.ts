import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createProgress } from "../../../src/cli/progress.js";
import { folderOf, recording } from "../input/support.js";
import { LISTS, planFile, sandboxServer } from "../record/support.js";
import { scratchFolder } from "../../support/scratch.js";
import { run } from "./support.js";

const ERASE = "\r\u001B[K";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("the progress line appears after two seconds, changes at most ten times per second, and is erased at the end", () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const stream = { isTTY: true, columns: 10, write: (text: string) => written.push(text) > 0 };
  const show = createProgress(stream as never);
  show("first");
  show("");
  vi.advanceTimersByTime(1999);
  show("too early");
  expect(written).toEqual([]);
  // The line appears during a long step, before the next step starts.
  vi.advanceTimersByTime(200);
  show("too soon");
  vi.advanceTimersByTime(100);
  show("\u001B[31mlong line");
  show("");
  expect(written).toEqual([`${ERASE}too early`, `${ERASE}\\u{1b}[31`, ERASE]);
  createProgress({ ...stream, isTTY: false } as never)("elsewhere");
  vi.advanceTimersByTime(9000);
  expect(written).toHaveLength(3);
});

it.each([true, undefined])(
  "the contract and record commands show a progress line only in a terminal (isTTY: %s)",
  async (isTTY) => {
    const before = process.stderr.isTTY;
    onTestFinished(() => void Object.assign(process.stderr, { isTTY: before }));
    Object.assign(process.stderr, { isTTY });
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
    const { url } = await sandboxServer();
    const cwd = await folderOf({ "a.json": recording(), "b.json": recording() });
    const contract = await run(["contract", "."], { cwd });
    const plan = await planFile([LISTS, { ...LISTS, case: "second" }]);
    const out = await scratchFolder();
    const args = ["--base-url", url, "--plan", plan, "--delay", "0", "--out", out];
    const record = await run(["record", ...args], { env: { CATALOGUE_TOKEN: "any-token" } });
    expect([contract.code, record.code]).toEqual([0, 0]);
    const next = `the recordings are in ${out}; to check them, run npx media-catalogue contract ${out}\n`;
    const outputs = [
      [contract.stderr, `2 read: b.json${ERASE}`, ""],
      [record.stderr, `[2/2] movies.lists/second${ERASE}`, next],
    ] as const;
    for (const [stderr, progress, end] of outputs)
      if (isTTY) expect(stderr.endsWith(progress + end), stderr).toBe(true);
      else expect(stderr).toBe(end);
  },
);
