// A worker for workerd, bundled as an app would bundle it. SANDBOX_URL is replaced by the URL of a sandbox.
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
