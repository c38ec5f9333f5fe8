import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findStaleFiles } from "../../scripts/generate/generate-files.js";
import { execute, succeed } from "../support/run.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";
import { empty, seen } from "./support.js";

const OVERLAY = "openapi/observed.overlay.yaml";

/** A project with an empty overlay. */
async function project() {
  const folder = await scratchFolder();
  await cp(join(root, "openapi/catalogue.yaml"), join(folder, "openapi/catalogue.yaml"));
  await writeFile(join(folder, OVERLAY), empty);
  await mkdir(join(folder, "recordings"));
  const record = (name: string, content: object) =>
    writeFile(join(folder, "recordings", name), JSON.stringify(content));
  const observe = (...args: string[]) =>
    execute(
      process.execPath,
      [
        "--import",
        import.meta.resolve("tsx"),
        join(root, "scripts/observe.ts"),
        ...args,
        "--root",
        folder,
      ],
      { cwd: folder },
    );
  return { folder, record, observe, overlay: () => readFile(join(folder, OVERLAY), "utf8") };
}

function recordingOf({ exchange: { request, response }, source, date }: ReturnType<typeof seen>) {
  return { source: { name: source, date }, request, response };
}

describe("npm run observe", () => {
  it("prints a diff that git can apply, and writes the same with --write, once", async () => {
    const { folder, record, observe, overlay } = await project();
    await record("one.json", {
      ...recordingOf(seen("movies.latest", { "/softcore": true })),
      source: {},
    });
    const shown = await observe("recordings", "--source", "staging", "--seen", "2026-02-03");
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("Nothing was written.");
    expect(await overlay()).toBe(empty);

    await writeFile(
      join(folder, "change.diff"),
      shown.stdout.slice(shown.stdout.indexOf("diff --git")),
    );
    const written = await observe(
      "recordings",
      "--source",
      "staging",
      "--seen",
      "2026-02-03",
      "--write",
    );
    expect(written.stdout).toContain(`Wrote ${OVERLAY}`);
    const text = await overlay();
    expect(text).toContain("`MovieDetail` has a `softcore` field.");
    expect(text).toMatch(/sources:\n +- staging\n +exchanges: 1\n +first: "2026-02-03"/);
    // The folder is outside the project's repository.
    const running = { cwd: folder, env: { GIT_CEILING_DIRECTORIES: join(folder, "..") } };
    await succeed("git", ["apply", "--reverse", "change.diff"], running);
    expect(await overlay()).toBe(empty);
    await succeed("git", ["apply", "change.diff"], running);
    expect(await overlay()).toBe(text);

    const again = await observe(
      "recordings",
      "--source",
      "staging",
      "--seen",
      "2026-02-03",
      "--write",
    );
    expect(again.stdout).toContain("There is nothing to add to");
    expect(await overlay()).toBe(text);
    const stale = await findStaleFiles(folder);
    expect(stale.find(({ file }) => file === "openapi/observed.yaml")!.text).toContain("softcore");
  });

  it("prefers the source and the date that a recording states", async () => {
    const { record, observe, overlay } = await project();
    const nothing = { "/homepage": null };
    await record("one.json", recordingOf(seen("movies.latest", nothing, { source: "a/b:x" })));
    await record(
      "two.json",
      recordingOf(seen("movies.latest", nothing, { source: "c/d:y", date: "2025" })),
    );
    expect(await observe("recordings", "--write")).toMatchObject({ code: 0 });
    expect(await overlay()).toMatch(
      /- a\/b:x\n +- c\/d:y\n +exchanges: 2\n +first: "2025"\n +seen: "2026-01-02"/,
    );
  });

  it("lists the deviations that it does not write, with the reason and the location", async () => {
    const { record, observe } = await project();
    await record(
      "one.json",
      recordingOf(seen("movies.latest", { "/homepage": null, "/budget": "much" })),
    );
    const { stdout } = await observe("recordings");
    expect(stdout).toMatch(
      /Not written, because fewer than 2 independent sources show it:\n {2}`MovieDetail.homepage` can be null. \(a\/b; \S*recordings\/one.json:1:\d+\)/,
    );
    expect(stdout).toContain("because the specification states a different type:");
    expect(stdout).toContain("add --min-sources 1");
    expect(stdout).toContain("npm run contract -- PATH... --observed --write-accepted");
    expect(stdout).not.toContain("much");
  });

  it.each<[string, string[], number, string]>([
    ["no path", [], 2, "PATH is missing"],
    ["an unknown option", ["recordings", "--sorce", "x"], 2, "--sorce"],
    [
      "a date of another form",
      ["recordings", "--seen", "3 May"],
      2,
      `--seen must be a past YYYY-MM-DD, YYYY-MM, or YYYY, not "3 May"`,
    ],
    ["a date to come", ["recordings", "--seen", "2099-01-01"], 2, 'or YYYY, not "2099-01-01"'],
    ["a day that no month has", ["recordings", "--seen", "2026-02-30"], 2, "--seen must be a past"],
    [
      "a number of sources below 1",
      ["recordings", "--min-sources", "0"],
      2,
      "--min-sources must be a number from 1",
    ],
    ["no source", ["recordings"], 2, "good.json does not name its source; add --source NAME"],
    ["a path without exchanges", ["openapi/none"], 2, "does not exist"],
    [
      "a file that is not a recording",
      ["recordings", "bad.json", "--source", "x"],
      2,
      "bad.json:1:1 ",
    ],
  ])("rejects %s, and writes nothing", async (_, args, code, message) => {
    const { folder, record, observe, overlay } = await project();
    const { request, response } = recordingOf(seen("movies.latest", { "/softcore": true }));
    await record("good.json", { request, response });
    await writeFile(join(folder, "bad.json"), "{}");
    const result = await observe(...args, "--write");
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(await overlay()).toBe(empty);
  });

  it("loses no fact if two runs write at the same time", async () => {
    const { folder, record, observe, overlay } = await project();
    const fields = ["softcore", "hardcore"];
    for (const field of fields)
      await record(`${field}.json`, recordingOf(seen("movies.latest", { [`/${field}`]: true })));
    const runs = await Promise.all(
      fields.map((field) => observe(`recordings/${field}.json`, "--write")),
    );
    const text = await overlay();
    expect(runs.some(({ code }) => code === 0)).toBe(true);
    for (const [index, { code, stderr }] of runs.entries()) {
      if (code === 0) expect(text).toContain(fields[index]);
      else expect(stderr).toContain("another npm run observe is writing; run this again");
    }
    expect(await readdir(join(folder, "openapi"))).toHaveLength(2);
  });

  it("prints no stack trace if its output is closed early", async () => {
    const { folder, record } = await project();
    const changes = Object.fromEntries(
      Array.from("abcdefghijklmnopqrst", (name) => [`/field_${name}`, true]),
    );
    await record("one.json", recordingOf(seen("movies.latest", changes)));
    const script = [process.execPath, "--import", import.meta.resolve("tsx")];
    const observe = [...script, join(root, "scripts/observe.ts"), "recordings", "--root", folder];
    const command = `${observe.map((each) => `'${each}'`).join(" ")} | head -n 1`;
    const { stdout, stderr } = await execute("sh", ["-c", command], { cwd: folder });
    expect([stdout.trim(), stderr]).toEqual(["Exchanges read: 1", ""]);
  });

  it("rejects an overlay that cannot be applied", async () => {
    const { folder, record, observe } = await project();
    await record("one.json", recordingOf(seen("movies.latest")));
    await writeFile(join(folder, OVERLAY), "actions: []\n");
    const { code, stderr } = await observe("recordings");
    expect(code).toBe(1);
    expect(stderr).toContain(`${OVERLAY}: needs info.x-as-of`);
    expect(stderr).toContain("Nothing was written.");
  });
});
