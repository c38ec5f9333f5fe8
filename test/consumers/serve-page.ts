import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

/** Serves a built page on loopback and forwards its calls to an API on the same origin. */
export async function servePage(
  folder: string,
  api: string,
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(`http://page${request.url}`);
    if (pathname.startsWith("/3/")) {
      const { status, headers, body } = await passOn(request, api);
      response.writeHead(status, { "content-type": headers.get("content-type") ?? "" }).end(body);
      return;
    }
    const file = join(folder, pathname === "/" ? "index.html" : pathname);
    const content = await readFile(file).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "" });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

async function passOn({ url = "", method = "GET", headers }: IncomingMessage, api: string) {
  const passed = ["authorization", "sandbox-case"].flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const answer = await fetch(api + url, { method, headers: passed });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
