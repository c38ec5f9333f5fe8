/**
 * npm passes a signal on to the shell that it runs a script in, and the shell to nobody: what is left to see is that the
 * parent has gone. Who starts this without npm may go, and it stays.
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
