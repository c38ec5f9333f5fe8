import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange } from "../../../src/contract/engine/types.js";

/** The request header that says which exchange is to be answered with. */
export const EXCHANGE_HEADER = "x-exchange";

/** Says how the body was coded on its way then; here it is sent as it is. */
const TRANSFER = new Set(["content-encoding", "content-length", "transfer-encoding"]);

/** The body of an answer as it was sent. */
export function bodyText({ response: { body, text } }: Exchange): string {
  return text ?? (body === undefined ? "" : JSON.stringify(body));
}

/** The headers of an answer, without those of the transfer. */
export function headersOf({ response }: Exchange): [name: string, value: string][] {
  return Object.entries(response.headers).filter(([name]) => !TRANSFER.has(name));
}

/** Serves exchanges on loopback, each by its number. */
export async function serveExchanges(
  exchanges: readonly Exchange[],
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const exchange = exchanges[Number(request.headers[EXCHANGE_HEADER])];
    if (!exchange) return response.writeHead(500).end();
    response.writeHead(exchange.response.status, headersOf(exchange).flat());
    return response.end(bodyText(exchange));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
