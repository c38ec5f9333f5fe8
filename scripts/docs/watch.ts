import { watch } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { CommandError } from "../../src/cli/command-error.js";
import { listenProblem, serveSandbox } from "../../src/sandbox/serve.js";
import { referencePage } from "./reference.js";

/** The folder whose files are followed. */
const WATCHED = "openapi";
const EVENTS = "/changes";
const RELOAD = `new EventSource("${EVENTS}").onmessage = () => location.reload();\n`;

/**
 * Serves the reference on loopback, and has it reloaded whenever the description has changed, until a promise
 * is kept. A fault is told on the terminal, and the page before it stays.
 * @param port 0 picks a free one
 * @throws {CommandError} the port is taken
 */
export async function watchReference(
  project: string,
  port: number,
  stopped: Promise<unknown>,
): Promise<void> {
  let page = `<!doctype html><title>Being built</title><script>${RELOAD}</script>Being built; what is wrong is told on the terminal.`;
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const at = { host: "127.0.0.1", port };
  const { url, close } = await serveSandbox(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === EVENTS) return eventsTo(readers);
    if (pathname !== "/") return new Response("Not here.\n", { status: 404 });
    return new Response(page, { headers: { "content-type": "text/html;charset=utf-8" } });
  }, at).catch((error: Error) => {
    throw new CommandError(listenProblem(error, at));
  });

  const build = oneAfterTheOther(async () => {
    const started = performance.now();
    try {
      page = await referencePage(project, { script: RELOAD, connect: "'self'" });
      for (const reader of readers) reader.enqueue(new TextEncoder().encode("data: changed\n\n"));
      console.log(`built (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      console.error(styleText("red", (error as Error).message, { stream: process.stderr }));
    }
  });
  const watcher = watch(join(project, WATCHED), build);
  console.log(`The reference is on ${url} and follows ${WATCHED}/ (Ctrl+C stops it).`);
  build();
  await stopped;
  watcher.close();
  await close();
  console.log("Stopped.");
}

function eventsTo(readers: Set<ReadableStreamDefaultController<Uint8Array>>): Response {
  let own: ReadableStreamDefaultController<Uint8Array>;
  const events = new ReadableStream<Uint8Array>({
    start: (controller) => {
      readers.add((own = controller));
      // A comment, so that the head of the answer is sent at once.
      controller.enqueue(new TextEncoder().encode(": following\n\n"));
    },
    cancel: () => void readers.delete(own),
  });
  return new Response(events, { headers: { "content-type": "text/event-stream" } });
}

/** A function that starts a job soon, once for many calls, and never beside itself. */
function oneAfterTheOther(job: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return () => {
    clearTimeout(timer);
    // An editor writes a file in several steps.
    timer = setTimeout(() => (running = running.then(job)), 100);
  };
}
