/** `npm run build`: writes dist, as it is published. npm runs it before it packs, so that no old dist is packed. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const USAGE = `Usage: npm run build

Removes dist, compiles src into it with its declarations, and writes openapi/catalogue.yaml there as openapi.json.

  -h, --help  print this`;

process.exitCode = main(process.argv.slice(2));

function main(args: string[]): number {
  try {
    const { values } = parseArgs({ args, options: { help: { type: "boolean", short: "h" } } });
    if (values.help) {
      console.log(USAGE);
      return 0;
    }
  } catch (error) {
    console.error(`build: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  rmSync(dist, { recursive: true, force: true });
  if (!compile()) {
    console.error(
      "build: src does not compile; correct what tsc names above. There is no dist now.",
    );
    return 1;
  }
  writeFileSync(join(dist, "openapi.json"), descriptionAsJson());
  // For those who run it in a clone: npm makes it executable for those who install the package.
  chmodSync(join(dist, "bin.js"), 0o755);
  console.log("wrote dist");
  return 0;
}

function compile(): boolean {
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = { cwd: root, stdio: "inherit" } as const;
  return spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], options).status === 0;
}

/** For bundlers and languages that read no YAML; keys are in the order of the YAML. */
function descriptionAsJson(): string {
  const yaml = readFileSync(join(root, "openapi/catalogue.yaml"), "utf8");
  return `${JSON.stringify(parse(yaml), null, 2)}\n`;
}
