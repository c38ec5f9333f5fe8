import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContractReport } from "../../../src/contract/report/create-report.js";
import { FORMATS } from "../../../src/contract/report/render.js";
import { createFindingGroups } from "../../../src/contract/gate/finding-groups.js";
import { sample } from "../report/sample.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const empty = { id: 701, page: 1, results: [], total_pages: 0, total_results: 0 };
const wrong = (...ids: unknown[]) => ids.map((id) => recording({ body: { ...empty, id } }));
const url = "https://catalogue.test/3/movie/701/lists";
const CONFIG = "contract.config.json";

/** Recordings and HAR files with different mismatches, some of which are in several files. */
const FILES: Record<string, unknown> = {
  ...Object.fromEntries(
    wrong("a", null, 3, 3, "b", [], 3, 3).map((each, n) => [`r/${n}.json`, each]),
  ),
  "r/a.har": har(entry(url), entry("https://cdn.test/x"), entry(url, { status: 404 })),
  "r/b.har": har(entry(url, { content: { size: 9 } }), entry(url)),
  "r/broken.json": "{",
};

/** Checks all files in one run, and in shards that are merged. Returns both JSON reports, and the exit codes. */
async function compare(files: Record<string, unknown>, count: number, ...options: string[]) {
  const cwd = await folderOf(files);
  const one = await run(["contract", "r", "--format", "json", ...options], { cwd });
  const codes: (number | null)[] = [];
  const reports = Array.from({ length: count }, (_, index) => `shard-${index + 1}.json`);
  for (const [index, file] of reports.entries()) {
    const shard = ["--shard", `${index + 1}/${count}`, "--format", `json=${file}`];
    codes.push((await run(["contract", "r", ...shard, ...options], { cwd })).code);
  }
  const args = ["contract", "--merge", ...reports.toReversed(), "--format", "json", ...options];
  const merged = await run(args, { cwd });
  const read = (file: string) =>
    JSON.parse(readFileSync(join(cwd, file), "utf8")) as ContractReport;
  return { cwd, one, merged, codes, reports, shards: reports.map(read) };
}

describe("contract --shard and --merge", () => {
  it.each([1, 2, 4])("the merged report of %i shards is the report of one run", async (count) => {
    const { one, merged, shards } = await compare(FILES, count);
    expect(merged).toEqual(one);
    const { exchanges } = JSON.parse(one.stdout) as ContractReport;
    expect(shards.flatMap((each) => each.exchanges)).toHaveLength(exchanges.length);
    if (count > 1) expect(shards[0]!.exchanges.length).toBeLessThan(exchanges.length);
  });

  it.each(FORMATS)("the merged report in the %s format is that of one run", async (format) => {
    const { cwd, one, reports } = await compare(FILES, 2);
    const whole = await run(["contract", "r", "--format", format], { cwd });
    const merged = await run(["contract", "--merge", ...reports, "--format", format], { cwd });
    expect(merged).toEqual(whole);
    expect(whole.code).toBe(one.code);
    expect(whole.stdout.length).toBeGreaterThan(100);
  });

  // Symptom: 150,000 wrong values needed more memory than a correct HAR of any size.
  it("with more than 50,000 occurrences, a report contains fewer of each finding, but none is accepted by mistake", async () => {
    const undeclared = Object.fromEntries(Array.from({ length: 48 }, (_, n) => [`extra_${n}`, n]));
    const resultsOf = (length: number) =>
      Array.from({ length }, () => ({ ...undeclared, name: null }));
    const listOf = (...results: object[]) => recording({ body: { ...empty, results } });
    const files = {
      "r/0.json": listOf(...resultsOf(699), { ...undeclared, name: 7 }),
      "r/1.json": listOf(...resultsOf(300)),
    };
    const about = { rule: "schema/type", operation: "movies.lists", reason: "ticket 123" };
    const accepted = [{ ...about, pointer: "/results/*/name", actual: "null" }];
    const config = { accepted, minValidatedShare: 0 };
    const { one, merged } = await compare({ ...files, [CONFIG]: config }, 1);
    expect(merged.stdout === one.stdout).toBe(true);
    const { findings } = JSON.parse(one.stdout) as ContractReport;
    const extra = findings.filter(({ pointer }) => pointer.includes("extra_"));
    expect(extra.map(({ count, occurrences }) => [count, occurrences.length])).toEqual(
      Array.from({ length: 48 }, () => [1000, 500]),
    );
    const name = findings.find(({ pointer }) => pointer.endsWith("/name"))!;
    expect([name.severity, name.count, name.occurrences.length]).toEqual(["error", 1000, 500]);
  });

  it.each([
    ["the gate keeps at most 50,000 occurrences in memory", false, 50_000],
    ["a shard keeps all occurrences, which merging needs", true, 100_000],
  ])("%s", (_, isComplete, length) => {
    const groups = createFindingGroups(isComplete);
    const finding = sample.findings[0]!;
    for (let count = 0; count < 100_000; count += 1) {
      const occurrence = { pointer: "/a", exchange: "a.har#1", status: 200, value: "1" };
      const fingerprint = String(count % 100);
      groups.add({ ...finding, fingerprint, count: 1, occurrences: [occurrence] });
    }
    const kept = [...groups.take()];
    expect(kept.map(({ count }) => count)).toEqual(Array.from({ length: 100 }, () => 1000));
    expect(kept.flatMap(({ occurrences }) => occurrences)).toHaveLength(length);
  });

  it("accepted entries and minValidatedShare apply to all shards together", async () => {
    const { "r/broken.json": _, ...files } = FILES;
    const about = { rule: "schema/type", operation: "movies.lists", reason: "ticket 123" };
    const at = (pointer: string, actual: string) => ({ ...about, pointer, actual });
    const accepted = [
      at("/id", "string"),
      at("/id", "null"),
      at("/id", "array"),
      at("/page", "null"),
    ];
    const config = { minValidatedShare: 1, accepted };
    const { one, merged, codes } = await compare({ ...files, [CONFIG]: config }, 4);
    expect(merged).toEqual(one);
    const { problems } = JSON.parse(one.stdout) as ContractReport;
    expect(problems.map(({ kind }) => kind)).toEqual(
      ["inconclusive", "accepted-entry"].toReversed(),
    );
    expect(codes).not.toContain(3);
  });

  it("a shard passes if its files have no error, even if it has no files or an accepted entry matches nothing", async () => {
    const about = { rule: "schema/type", operation: "movies.lists", reason: "ticket 123" };
    const config = { accepted: [{ ...about, pointer: "/id", actual: "string" }] };
    const { one, merged, codes } = await compare(
      { "r/0.json": wrong("a")[0], [CONFIG]: config },
      3,
    );
    expect([one.code, merged.code, codes]).toEqual([0, 0, [0, 0, 0]]);
    expect(merged).toEqual(one);
  });

  it("a shard of the same files is the same in every folder, and a file stays in its shard if other files are added", async () => {
    const namesOf = ({ shards }: Awaited<ReturnType<typeof compare>>) =>
      shards.map(({ exchanges }) => exchanges.map(({ name }) => name));
    const before = namesOf(await compare(FILES, 2));
    const after = namesOf(await compare({ ...FILES, "r/0a.json": recording() }, 2));
    for (const [index, names] of before.entries())
      expect(after[index]).toEqual(expect.arrayContaining(names));
  });

  it("the gate rejects reports that are not those of all shards of the same files", async () => {
    const { cwd, reports } = await compare(FILES, 2);
    const merge = async (...args: string[]) =>
      (await run(["contract", "--merge", ...args], { cwd })).stderr;
    expect(await merge(reports[0]!)).toContain("the report of shard 2/2 is missing");
    await run(["contract", "r", "--format", "json=whole.json"], { cwd });
    expect(await merge("whole.json")).toContain("whole.json is not the report of a shard");
    await run(["contract", "r/0.json", "--shard", "2/2", "--format", "json=other.json"], { cwd });
    expect(await merge(reports[0]!, "other.json")).toContain("is not about the same files");
    await run(["contract", "r", "--shard", "1/2", "--format", "json=again.json"], { cwd });
    expect(await merge(reports[0]!, "again.json")).toContain("again.json repeats shard 1 of");
    expect(await merge("r/0.json")).toContain("r/0.json");
  });

  it.each([
    [["r", "--shard", "3/2"], '--shard must be INDEX/COUNT, such as 2/4, not "3/2"'],
    [["r", "--shard", "2"], "--shard must be INDEX/COUNT"],
    [["r", "--shard", "-1/2"], '--shard must be INDEX/COUNT, such as 2/4, not "-1/2"'],
    [["-", "--shard", "1/2"], "--shard cannot divide standard input"],
    [["--merge"], "--merge needs the JSON reports of all shards"],
    [["r", "--merge", "--shard", "1/2"], "--shard cannot be combined with --merge"],
    [["--live", "--merge"], "--live cannot be combined with --shard or --merge"],
  ])("the gate rejects %j", async (args, problem) => {
    const { code, stderr } = await run(["contract", ...args], { cwd: await folderOf(FILES) });
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
