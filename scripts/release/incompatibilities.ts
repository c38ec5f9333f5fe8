import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readManifest, run } from "./released.js";

/** Lists example responses, types, and entry points that worked in the last release but no longer work. */
export async function incompatibilities(project: string, folder: string): Promise<string[]> {
  const examples = join(folder, "test/example-responses");
  const args = ["run", "--silent", "contract", "--", examples];
  const failures = await run(project, "npm", ...args).then(
    () => [],
    ({ message }: Error) => [
      `the example responses of the last release contradict the description:\n${message}`,
    ],
  );
  const entries = await entryPoints(project);
  const gone = (await entryPoints(folder)).filter((name) => !entries.includes(name));
  return [
    ...failures,
    ...(await typeErrors(project, folder)),
    ...gone.map((name) => `package.json no longer exports ${name}`),
  ].map((problem) => `no longer works (restore it, or release a major version): ${problem}`);
}

/** Compiles the type tests of the last release. Checks that each current type is assignable to the released type. */
async function typeErrors(project: string, folder: string): Promise<string[]> {
  const models = await readFile(join(folder, "released/generated/models.ts"), "utf8");
  const names = [...models.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  const assignments = [...names, "Catalogue"].map(
    (name) => `void ((value: now.${name}): before.${name} => value);\n`,
  );
  const imports = `import * as before from "../../released/index.js";
import * as now from "../../src/index.js";\n`;
  await writeFile(join(folder, "test/types/released.test-d.ts"), imports + assignments.join(""));
  const paths = { vitest: [join(project, "scripts/release/vitest.d.ts")] };
  const config = {
    extends: join(project, "tsconfig.json"),
    compilerOptions: { paths },
    include: ["test/types/*.test-d.ts"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const output = await run(folder, process.execPath, tsc, "--pretty", "false", "-p", ".").catch(
    ({ message }: Error) => message,
  );
  // TS2578 is an unused @ts-expect-error: invalid code now compiles, which is not a breaking change.
  return output.match(/^test\/types\/.*error TS(?!2578).*(?:\n .*)*$/gm) ?? [];
}

async function entryPoints(folder: string): Promise<string[]> {
  const { exports, bin } = await readManifest(folder);
  return [...Object.keys(exports), ...Object.keys(bin)];
}
