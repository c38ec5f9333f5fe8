/** Part of `npm run release:version`: gives the description the version of package.json. */
import { readFile, writeFile } from "node:fs/promises";
import manifest from "../package.json" with { type: "json" };

const file = new URL("../openapi/catalogue.yaml", import.meta.url);
const yaml = await readFile(file, "utf8");
await writeFile(file, yaml.replace(/(?<=^ {2}version: ).*/m, manifest.version));
