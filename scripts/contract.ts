/** `npm run contract [-- OPTION...]`: `media-catalogue contract` over test/recordings, or over the given paths. */
import { main } from "../src/cli/main.js";

process.exitCode = await main(["contract", ...process.argv.slice(2)], {
  own: ["test/recordings"],
  usage: "npm run contract -- --help",
});
