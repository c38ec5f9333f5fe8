import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { movie } from "./first-call.js";
import { proxy } from "./proxy.mjs";

const page = `<!doctype html><link rel=icon href=data:,>
<h1>${movie.title} with ${movie.credits.cast[0]?.name}</h1><p></p><script type=module src=/page.js></script>`;
const script = readFileSync("dist/page.js", "utf8");

const app = new Hono();
app.get("/", (context) => context.html(page));
app.get("/page.js", (context) => context.body(script, 200, { "content-type": "text/javascript" }));
app.all("/api/catalogue/*", (context) => proxy(context.req.raw));
serve({ fetch: app.fetch, hostname: process.env.HOST, port: Number(process.env.PORT) }, () =>
  console.log("Listening on", process.env.PORT),
);
