// A page that bundles every entry point; its server forwards calls to a sandbox.
import * as client from "media-catalogue";
import * as contract from "media-catalogue/contract";
import * as sandbox from "media-catalogue/sandbox";
import * as validate from "media-catalogue/validate";
import { tour } from "./tour.mjs";

const outcome = await tour({ client, contract, sandbox, validate }, location.origin);
globalThis.document.body.append(JSON.stringify(outcome));
globalThis.document.title = "called";
