import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { run } from "./support/run.js";

/** The scripts in package.json that run a program of this project. */
const own = Object.entries(manifest.scripts).flatMap(([name, command]) => {
  const [file] = /\S+\.ts$/.exec(command) ?? [];
  return command.includes("tsx ") && file ? [[name, file] as const] : [];
});
const script = (file: string, ...args: string[]) => run("tsx/dist/cli.mjs", [file, ...args]);

it("finds the scripts", () => {
  expect(own.map(([name]) => name)).toEqual(
    expect.arrayContaining(["bench", "contract", "generate", "release:check", "start"]),
  );
});

describe.concurrent.each(own)("npm run %s", (name, file) => {
  it("prints its usage with --help, and does nothing else", async () => {
    const { code, stdout, stderr } = await script(file, "--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: [^]*^ {2}-h, --help {2,}print this/m);
    // All options follow one `--`: npm reads the options before it.
    expect(stdout).toMatch(/^Usage: (media-catalogue .*|npm (run )?\S+( \[-- ([^\]]*|.*\])\])?)\n/);
  });

  it("refuses an unknown option, and says where the options are listed", async () => {
    const { code, stdout, stderr } = await script(file, "--no-such-option");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("'--no-such-option'");
    expect(stderr).toMatch(new RegExp(`npm (run )?${name} -- --help`));
    expect(stderr, "a stack trace").not.toMatch(/^ +at /m);
  });
});

describe("npm run bench", () => {
  it.each(["3", "many", "4.5"])("refuses %s rounds before it builds", async (rounds) => {
    const { code, stdout, stderr } = await script("bench/main.ts", "--rounds", rounds);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`--rounds ${rounds} is not a whole number of 4 or more`);
  });
});

describe("npm run contract", () => {
  const contract = (...args: string[]) => script("scripts/contract.ts", ...args);
  const next = "Next: npm run contract -- --mutate";

  it.each(["--mutate-spec", "--second-opinion"])(
    "prints its usage and refuses other options with %s",
    async (proof) => {
      const help = await contract(proof, "--help");
      expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: [^]*--mutate/)]);
      const { code, stdout, stderr } = await contract(proof, "--format", "json");
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("'--format'");
    },
  );

  it("recommends --mutate after all recordings passed, but not after some", async () => {
    expect(await contract()).toMatchObject({ code: 0, stderr: expect.stringContaining(next) });
    const some = await contract("test/recordings/movies.latest");
    expect(some).toMatchObject({ code: 0, stderr: "" });
    expect(await contract("--version")).toMatchObject({ code: 0, stderr: "" });
  });
});
