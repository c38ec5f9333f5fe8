import { once } from "node:events";
import {
  createServer,
  request as send,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** Stands before a registry. */
interface Way {
  url: string;
  close(): Promise<void>;
}

/** A way to a registry that breaks while a package is uploaded. */
interface BreakingWay extends Way {
  /** How many bytes of the upload have reached the registry, and of how many. */
  passed: { bytes: number; of: number };
}

/**
 * Stands before a registry, and breaks an upload.
 * @param registry its URL
 * @param share how much of the upload reaches the registry, from 0 to 1; with 1 its answer is what gets lost
 * @param interrupt breaks it; else the connection is cut
 */
export async function interruptUploads(
  registry: string,
  share: number,
  interrupt?: () => void,
): Promise<BreakingWay> {
  const passed = { bytes: 0, of: 0 };
  const way = await listen(async (incoming, outgoing) => {
    if (incoming.method !== "PUT") return relay(registry, incoming, outgoing);
    const forward = forwarded(registry, incoming);
    forward.flushHeaders();
    passed.of = Number(incoming.headers["content-length"]);
    const part = Math.floor(passed.of * share);
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      const bytes = (chunk as Buffer).subarray(0, part - passed.bytes);
      await new Promise((written) => forward.write(bytes, written));
      passed.bytes += bytes.length;
      if (passed.bytes === part) break;
    }
    if (share === 1) await once(forward.end(), "response");
    if (interrupt) {
      interrupt();
      await once(incoming.socket, "close");
    }
    forward.on("error", () => {}).destroy();
    incoming.destroy();
  });
  return { ...way, passed };
}

/** Stands before a registry, and says that it has no package; what is published gets through. */
export function hideVersions(registry: string): Promise<Way> {
  return listen(async (incoming, outgoing) => {
    if (incoming.method === "PUT") await relay(registry, incoming, outgoing);
    else outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
}

async function listen(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<Way> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function relay(
  registry: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const forward = forwarded(registry, incoming);
  incoming.pipe(forward);
  const [answer] = (await once(forward, "response")) as [IncomingMessage];
  outgoing.writeHead(answer.statusCode!, answer.headers);
  answer.pipe(outgoing);
}

/** The same request to the registry, as far as its body. */
function forwarded(registry: string, { url, method, headers }: IncomingMessage): ClientRequest {
  return send(new URL(url!, registry), { method, headers: { ...headers, connection: "close" } });
}
