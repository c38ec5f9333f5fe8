// tour-main.mjs URL: the tour against a sandbox, for every runtime that has a process.
import process from "node:process";
import * as client from "media-catalogue";
import * as contract from "media-catalogue/contract";
import * as sandbox from "media-catalogue/sandbox";
import * as validate from "media-catalogue/validate";
import { tour } from "./tour.mjs";

const outcome = await tour({ client, contract, sandbox, validate }, process.argv.at(-1));
console.log(JSON.stringify(outcome));
