/** `npm run sandbox [-- --port PORT] [-- --host HOST]`: `media-catalogue sandbox`, which also stops when npm does. */
import { main } from "../src/cli/main.js";

// npm passes a signal on to the shell that it runs a script in, and the shell to nobody: what is left to see is that
// the parent has gone. Who starts this without npm may go, and it stays.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, "SIGTERM");
  }, 250).unref();
}
process.exitCode = await main(["sandbox", ...process.argv.slice(2)], {
  usage: "npm run sandbox -- --help",
});
