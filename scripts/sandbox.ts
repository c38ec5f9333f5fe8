/** `npm run sandbox [-- [--port PORT] [--host HOST]]`: `media-catalogue sandbox`, which also stops when npm does. */
import { main } from "../src/cli/main.js";
import { stopWithNpm } from "./stop-with-npm.js";

stopWithNpm();
process.exitCode = await main(["sandbox", ...process.argv.slice(2)], {
  usage: "npm run sandbox -- --help",
});
