import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/paths.js";

const folder = join(root, "findings");
const scripts = readdirSync(folder)
  .filter((file) => file.endsWith(".sh"))
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

test("findings/README.md has one row for each script", () => {
  const table = readFileSync(join(folder, "README.md"), "utf8");
  const rows = [...table.matchAll(/^\| \[([\w-]+)\]\(\1\.sh\)/gm)].map(([, name]) => `${name}.sh`);
  expect(rows).toEqual(scripts.map(({ file }) => file).toSorted());
});

test("each finding can be executed, and its comment states behavior, guess, reason, and dependency", () => {
  const labels = ["Behavior:", "Good guess:", "Why the guess is wrong:", "Depends on it:"];
  const incomplete = scripts.filter(({ file, text }) => {
    const [comment = ""] = text.split("set -euo pipefail");
    const isExecutable = (statSync(join(folder, file)).mode & 0o111) === 0o111;
    return !isExecutable || labels.some((label) => !comment.includes(`\n# ${label} `));
  });
  expect(incomplete).toEqual([]);
});

test("each finding installs exact versions of other packages in a temporary folder", () => {
  const temporary = 'folder=$(mktemp -d)\ntrap \'rm -rf "$folder"\' EXIT\ncd "$folder"\n';
  const exact = /^(@?[\w./-]+@)?(npm:)?@?[\w./-]+@\d+\.\d+\.\d+$/;
  const loose = scripts.filter(({ text }) => {
    const install = /^npm install --silent --no-audit --no-fund (.*) >&2 \|\| exit 2$/m.exec(text);
    const isExact = install?.[1]!.split(" ").every((each) => exact.test(each));
    const code = text.replaceAll(/^#.*$/gm, "");
    return !isExact || !text.includes(temporary) || code.includes("media-catalogue");
  });
  expect(loose).toEqual([]);
});
