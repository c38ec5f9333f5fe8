/**
 * npm forwards signals to the shell that runs a script, but the shell does not forward them, so the script detects that
 * its parent has exited. Without npm, the script keeps running after its parent exits.
 */
export function stopWithNpm(): void {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, "SIGTERM");
  }, 250).unref();
}
