/** `npm run prose`: checks the prose of the project with write-good. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import writeGood from "write-good";
import { parsed, runMain } from "./command-line.js";
import { passagesOf } from "./prose/passages.js";

const root = fileURLToPath(new URL("..", import.meta.url));

const USAGE = `Usage: npm run prose

Checks the docs, comments, messages, and test titles of every tracked file with write-good.

  -h, --help  print this

Exits with 0 if nothing was found, 1 if something was, 2 if the arguments are wrong.`;

/** Reference texts need the passive voice, adverbs, and "there is"; the rest of write-good's rules apply. */
const RULES = {
  passive: false,
  adverb: false,
  weasel: false,
  tooWordy: false,
  thereIs: false,
  illusion: true,
  so: true,
  cliches: true,
};
/** Help and style sheets in code repeat a word for good reason: `--port PORT  port to listen on`. */
const CODE_RULES = { ...RULES, illusion: false };

await runMain("npm run prose", USAGE, async (args) => {
  parsed(args, {});
  let problems = 0;
  for (const file of proseFiles()) {
    const rules = /\.(?:md|ya?ml)$/.test(file) ? RULES : CODE_RULES;
    for (const { line, text } of passagesOf(file, readFileSync(join(root, file), "utf8"))) {
      for (const { index, offset, reason } of writeGood(text, rules)) {
        problems += 1;
        const around = text.slice(Math.max(0, index - 20), index + offset + 20);
        console.error(`${file}:${line}: ${reason} in "…${around}…"`);
      }
    }
  }
  console.log(problems === 0 ? "prose: no problems" : `prose: ${problems} problems`);
  return problems === 0 ? 0 : 1;
});

function proseFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  return listed.split("\0").filter((file) => file !== "" && !file.startsWith("src/generated/"));
}
