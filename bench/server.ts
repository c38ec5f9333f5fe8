/** Starts a server that responds to every request with the same page, and sends its port to the parent process. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HEADERS, PAGE } from "./contenders.js";

const server = createServer((_, response) => {
  response.writeHead(200, { ...HEADERS, "content-length": Buffer.byteLength(PAGE) }).end(PAGE);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
