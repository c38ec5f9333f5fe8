import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { runHere } from "./support/run.js";

/** The scripts in package.json that run a TypeScript program with tsx. */
const own = Object.entries(manifest.scripts).flatMap(([name, command]) => {
  const [, file] = /--import tsx (\S+\.ts)$/.exec(command) ?? [];
  return file ? [[name, file] as const] : [];
});

it("package.json has scripts that run TypeScript programs with tsx", () => {
  expect(own.map(([name]) => name)).toEqual(
    expect.arrayContaining(["bench", "contract", "generate", "release:check", "start"]),
  );
});

it("no script in package.json needs a POSIX shell", () => {
  for (const command of Object.values(manifest.scripts)) {
    const unquoted = command.replaceAll(/"[^"]*"/g, "");
    expect(unquoted).not.toMatch(/['"$;`]|(^|&& )(exec|rm|cp|mv|mkdir|\S+=)/);
  }
});

it.each(own)("npm run %s rejects an unknown option and points to --help", async (name, file) => {
  const { code, stdout, stderr } = await runHere(file, ["--no-such-option"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--no-such-option");
  expect(stderr).toMatch(new RegExp(`npm (run )?${name} -- --help`));
  expect(stderr, "a stack trace").not.toMatch(/^ +at /m);
});

it("npm start -- --help only prints the usage", async () => {
  const { code, stdout, stderr } = await runHere("scripts/start.ts", ["--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Usage: npm start\n[^]*^ {2}-h, --help {2,}/m);
});
