/** `npm run sandbox [-- [--port PORT] [--host HOST]]`: runs `media-catalogue sandbox`. */
import { main } from "../src/cli/main.js";

process.exitCode = await main(["sandbox", ...process.argv.slice(2)], {
  usage: "npm run sandbox -- --help",
});
