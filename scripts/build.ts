/** `npm run build`: writes dist, as it is published. npm runs it before it packs, so that no old dist is packed. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parse } from "yaml";
import manifest from "../package.json" with { type: "json" };
import { parsed, runMain } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const USAGE = `Usage: npm run build

Removes dist, compiles src into it with its declarations, bundles the modules of the client into one file, and
writes openapi/catalogue.yaml there as openapi.json.

  -h, --help  print this`;

await runMain("npm run build", USAGE, async (args) => {
  parsed(args, {});
  rmSync(dist, { recursive: true, force: true });
  if (!compile()) {
    console.error(
      "build: src does not compile; correct what tsc names above. There is no dist now.",
    );
    return 1;
  }
  await joinClient();
  writeFileSync(join(dist, "openapi.json"), descriptionAsJson());
  setModes();
  console.log("wrote dist");
  return 0;
});

function compile(): boolean {
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = { cwd: root, stdio: "inherit" } as const;
  return spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], options).status === 0;
}

/**
 * Bundles the modules of the client into one file, because an importer waits for each file. openapi-fetch stays an
 * import, so that the single copy that a consumer installed is the one that runs. The other entries import the client
 * from this file too, because a second copy of a class would be another class.
 */
async function joinClient(): Promise<void> {
  const index = join(dist, "index.js");
  const entries = Object.values(manifest.exports)
    .flatMap((target) => (typeof target === "object" ? target.default : []))
    .concat(Object.values(manifest.bin))
    .map((file) => join(root, file));
  const options = {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "neutral",
    // Paths are written into the bundle: those in the project, wherever node_modules is.
    preserveSymlinks: true,
    metafile: true,
  } as const;
  const joined = await build({
    ...options,
    entryPoints: [index],
    packages: "external",
    outfile: index,
    allowOverwrite: true,
    charset: "utf8",
  });
  const rest = await build({
    ...options,
    entryPoints: entries.filter((file) => file !== index),
    packages: "external",
    external: [index, "node:*"],
    outdir: dist,
    write: false,
  });
  for (const file of Object.keys(joined.metafile.inputs)) {
    const isJoined = file.startsWith("dist/") && join(root, file) !== index;
    if (isJoined && !(file in rest.metafile.inputs)) rmSync(join(root, file));
  }
}

/** For bundlers and languages that read no YAML; keys are in the order of the YAML. */
function descriptionAsJson(): string {
  const yaml = readFileSync(join(root, "openapi/catalogue.yaml"), "utf8");
  return `${JSON.stringify(parse(yaml), null, 2)}\n`;
}

/** npm packs the modes that files have, which depend on the umask of whoever made the clone. */
function setModes(): void {
  const inDist = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const others = [...manifest.files, "LICENSE", "README.md", "package.json"]
    .map((name) => join(root, name))
    .filter((file) => file !== dist && existsSync(file));
  for (const file of [...inDist, ...others]) chmodSync(file, 0o644);
  for (const file of Object.values(manifest.bin)) chmodSync(join(root, file), 0o755);
}
