// A page that has every entry point in its bundle; its server passes calls on to a sandbox.
import * as client from "media-catalogue";
import * as contract from "media-catalogue/contract";
import document from "media-catalogue/openapi.json";
import * as sandbox from "media-catalogue/sandbox";
import * as validate from "media-catalogue/validate";
import { tour } from "./tour.mjs";

const outcome = await tour({ client, contract, sandbox, validate, document }, location.origin);
globalThis.document.body.append(JSON.stringify(outcome));
globalThis.document.title = "called";
