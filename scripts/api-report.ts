/** `npm run api [-- --check]`: writes reports of the public types, which pull requests show when a type changes. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import manifest from "../package.json" with { type: "json" };
import { parseArguments, runMain } from "./shared/command-line.js";

const USAGE = `Usage: npm run api [-- --check]

Compiles the type declarations in src, and writes a report of the exported types of each entry point to test/types/api.

  --check     write nothing, and list the reports that are outdated
  -h, --help  print this help

Exit codes: 0 if the reports are up to date, 1 if a report is outdated or src does not compile, 2 for invalid
arguments.`;

const root = fileURLToPath(new URL("..", import.meta.url));
const declarations = join(root, ".tmp/api");

await runMain("npm run api", USAGE, async (args) => {
  const { check } = parseArguments(args, { check: { type: "boolean", default: false } }).values;
  rmSync(declarations, { recursive: true, force: true });
  const tsc = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = [tsc, "-p", "tsconfig.build.json", "--outDir", declarations];
  const { status } = spawnSync(process.execPath, options, { cwd: root, stdio: "inherit" });
  if (status !== 0) return 1;
  const outdated = Object.values(manifest.exports)
    .flatMap((target) => (typeof target === "object" ? [target.types] : []))
    .filter((types) => isOutdated(types.replace("./dist/", ""), check));
  for (const types of outdated)
    if (check) console.error(`api: the report of ${types} is outdated; run npm run api`);
    else console.log(`wrote the report of ${types}`);
  return check && outdated.length > 0 ? 1 : 0;
});

/** Compares the report of an entry point with its declarations. Unless `check` is set, updates the report. */
function isOutdated(types: string, check: boolean): boolean {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(declarations, types),
      compiler: { tsconfigFilePath: join(root, "tsconfig.build.json"), skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: types.replaceAll("/", "-").replace(/(-index)?\.d\.ts$/, ""),
        reportFolder: join(root, "test/types/api"),
        reportTempFolder: join(declarations, "reports"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback(message) {
      message.handled = true;
      message.logLevel = ExtractorLogLevel.None;
    },
  });
  return apiReportChanged;
}
