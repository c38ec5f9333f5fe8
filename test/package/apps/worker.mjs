// A worker for workerd. The bundler replaces SANDBOX_URL with the URL of a running sandbox.
import * as client from "media-catalogue";
import * as contract from "media-catalogue/contract";
import * as sandbox from "media-catalogue/sandbox";
import * as validate from "media-catalogue/validate";
import { tour } from "./tour.mjs";

export default {
  async test() {
    console.log(JSON.stringify(await tour({ client, contract, sandbox, validate }, SANDBOX_URL)));
  },
};
