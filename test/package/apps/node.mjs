// Imports the package and calls a running sandbox. Usage: node node.mjs URL
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as client from "media-catalogue";
import * as contract from "media-catalogue/contract";
import * as sandbox from "media-catalogue/sandbox";
import * as validate from "media-catalogue/validate";
import { tour } from "./tour.mjs";

const yaml = readFileSync(
  fileURLToPath(import.meta.resolve("media-catalogue/openapi.yaml")),
  "utf8",
);
const outcome = await tour({ client, contract, sandbox, validate }, process.argv[2]);
console.log(JSON.stringify({ ...outcome, yaml: yaml.slice(0, yaml.indexOf("\n")) }));
