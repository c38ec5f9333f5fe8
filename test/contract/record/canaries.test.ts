import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "../../../src/contract/shared/command-error.js";
import { getAtPointer, lastKey } from "../../../src/openapi/pointer.js";
import { callDeployment } from "../../../src/contract/record/live.js";
import { record } from "../../../src/contract/record/record.js";
import type { Json } from "../../../src/openapi/description.js";
import { description as catalogue } from "../../../src/generated/description.js";
import { description as full } from "../../../src/generated/full-description.js";
import { sensitive as fullSensitive } from "../../../src/generated/full-sensitive.js";
import { sensitive } from "../../../src/generated/sensitive.js";
import { tracesOf } from "../../support/canary.js";
import { root } from "../../support/paths.js";
import { scratchFolder } from "../../support/scratch.js";
import { rejection, serve, type Responder } from "../../support/server.js";
import { canaries, canBeRead, encodings } from "./canaries.js";
import { filesIn, planFile } from "./support.js";

const secrets = Object.values(canaries);

/** A response body that contains the canaries under property names that are typical of secrets. */
const named = {
  request_token: canaries.requestToken,
  session_id: canaries.sessionId,
  guest_session_id: canaries.guestSessionId,
  refresh_token: canaries.refreshToken,
  auth: { client_secret: canaries.clientSecret, id_token: { value: canaries.uuid } },
  password: canaries.password,
  sessions: { [canaries.mapKey]: { since: 2024 } },
  coded: Buffer.from(JSON.stringify({ access_token: canaries.inBase64 })).toString("base64"),
  pages: [
    `https://catalogue.example/next?api_key=${canaries.apiKey}&page=2`,
    encodeURIComponent(`https://catalogue.example/?session_id=${canaries.urlInText}&x=1`),
    `https://robot:${canaries.userinfo}@catalogue.example/`,
    `The header was: Bearer ${canaries.jwt}`,
  ],
  log: JSON.stringify({ request: { access_token: canaries.nestedJson } }),
};
const headers = {
  "authentication-callback": `https://catalogue.example/authenticate/${canaries.callbackToken}?state=${canaries.callbackQuery}`,
  "set-cookie": `sid=${canaries.cookie}; Path=/`,
  "x-csrf-token": canaries.csrfHeader,
  authorization: `Bearer ${canaries.bearer}`,
  etag: `W/"${canaries.bearer}"`,
  vary: encodeURIComponent(canaries.bearer),
  "cache-control": Buffer.from(canaries.bearer).toString("base64"),
};
/** A response body that contains every canary in declared strings, in each encoding, and as property names. */
const quoting = {
  id: 701,
  page: 1,
  results: Object.entries(encodings).map(([name, encode]) => ({
    description: `${name}: ${secrets.map(encode).join(" ")}`,
    poster_path: `/${encode(canaries.requestToken)}.jpg`,
  })),
  note: secrets.map(encodings.base64!),
  ...Object.fromEntries(secrets.map((secret) => [`under ${secret}`, { [secret]: secret }])),
};

const respondWith =
  (status: number, body: unknown): Responder =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const message = JSON.stringify(quoting);

/**
 * Starts a deployment that quotes every secret in 2xx responses, in errors, and in a response that is not JSON. Only
 * the last planned call returns `named`, whose property names show that the values are secret.
 */
const hostile = () =>
  serve((response, request) => {
    const answers: Record<string, Responder> = {
      "/3/movie/1/lists": respondWith(404, {
        success: false,
        status_code: 34,
        status_message: message,
      }),
      "/3/movie/1/changes": respondWith(418, {
        success: false,
        status_code: 7,
        status_message: message,
      }),
      "/3/movie/2/changes": respondWith(200, message.slice(1)),
      "/3/authentication/token/new": respondWith(200, { ...named, success: true }),
    };
    const [path = ""] = request.url.split("?");
    return (answers[path] ?? respondWith(200, quoting))(response, request);
  });

const plan = () =>
  planFile([
    { operation: "movies.lists", case: "typical", path: { movie_id: canaries.bearer } },
    { operation: "movies.lists", case: "refused", path: { movie_id: 1 }, expectError: true },
    { operation: "movies.changes", case: "offline", path: { movie_id: 1 } },
    { operation: "movies.changes", case: "no-json", path: { movie_id: 2 } },
    {
      operation: "account.details",
      case: "typical",
      path: { account_id: "$CATALOGUE_ACCOUNT" },
      query: { unnamed: canaries.queryHex, note: canaries.bearer },
    },
    {
      operation: "authentication.convertV4Session",
      case: "typical",
      body: { access_token: "$CATALOGUE_ACCESS", note: canaries.jwt },
    },
    { operation: "authentication.createRequestToken", case: "typical" },
  ]);
const env = { CATALOGUE_ACCOUNT: canaries.accountId, CATALOGUE_ACCESS: canaries.accessToken };

function secretNamesIn(text: string): string[] {
  return Object.entries(canaries).flatMap(([name, secret]) =>
    canBeRead(text, secret) ? [name] : [],
  );
}

/** Returns the names of the sensitive values that appear in text, unchanged or percent-encoded. */
function sensitiveNamesIn(text: string): string[] {
  const sent = ["bearer", "accessToken", "accountId", "queryHex"] as const;
  const received = ["requestToken", "callbackToken", "callbackQuery"] as const;
  return [...sent, ...received].filter((name) =>
    [canaries[name], encodeURIComponent(canaries[name])].some((form) => text.includes(form)),
  );
}

it("the recorder writes no sensitive value to disk or to the log, even in a second run", async () => {
  const { url, seen } = await hostile();
  const out = await scratchFolder();
  const lines: string[] = [];
  const options = { baseUrl: url, token: canaries.bearer, env, plan: await plan() };
  const log = (line: string) => lines.push(line);
  const run = (overwrite: boolean) =>
    record({ ...options, allowWrites: true, out, delay: 0, log, overwrite });

  const first = await run(false);
  const files = filesIn(out);
  const second = await run(false);
  const again = await run(true);

  expect(first.failed.map(({ name }) => name)).toEqual([
    "movies.changes/offline",
    "movies.changes/no-json",
  ]);
  expect([first.recorded.length, second.kept.length, again.recorded.length]).toEqual([5, 5, 5]);
  expect([second.failed, again.failed]).toEqual([first.failed, first.failed]);
  expect(filesIn(out)).toEqual(files);
  expect(seen.length).toBeGreaterThan(14);
  expect(sensitiveNamesIn([...files].flat().join("\n"))).toEqual([]);
  expect(secretNamesIn(`${lines.join("\n")}${JSON.stringify([first, second, again])}`)).toEqual([]);
});

it("the recorder writes no secret, except inside text that the description declares as public", async () => {
  const { url } = await hostile();
  const out = await scratchFolder();
  const options = { baseUrl: url, token: canaries.bearer, env, plan: await plan(), out, delay: 0 };
  await record({ ...options, allowWrites: true });
  const isPublic = /"(description|status_message|poster_path|cache-control)": ".*"/g;
  const texts = [...filesIn(out)].flat().map((text) => text.replace(isPublic, ""));
  expect(secretNamesIn(texts.join("\n"))).toEqual([]);
});

it("a live run logs no secret from the exchanges that it passes to the gate", async () => {
  const { url } = await hostile();
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const options = { baseUrl: url, token: canaries.bearer, env, plan: await plan(), delay: 0, log };
  const items = await callDeployment({ ...options, allowWrites: true });
  expect(items.filter((item) => "exchange" in item)).toHaveLength(7);
  expect(secretNamesIn(lines.join("\n"))).toEqual([]);
});

it("the recorder replaces a quoted token, even if the call that returns the token is already recorded", async () => {
  const { url } = await serve((response, request) => {
    const isToken = request.url.endsWith("/token/new");
    const body = isToken ? { ...named, success: true } : { title: `See ${canaries.requestToken}.` };
    return respondWith(200, body)(response, request);
  });
  const out = await scratchFolder();
  const token = { operation: "authentication.createRequestToken", case: "typical" };
  const latest = { operation: "movies.latest", case: "typical" };
  const options = { baseUrl: url, token: "any-token-1", out, delay: 0 };
  await record({ ...options, plan: await planFile([token]) });
  const summary = await record({ ...options, plan: await planFile([latest, token]) });

  expect([summary.recorded.length, summary.kept.length]).toEqual([1, 1]);
  expect(filesIn(out).get("movies.latest/typical.json")).toContain('"See redacted."');
});

it("the recorder rejects a token that cannot be sent, and does not quote the token", async () => {
  const token = `${canaries.bearer}\n`;
  const error = await rejection(record({ baseUrl: "http://localhost", token, out: "x" }));
  expect(error).toBeInstanceOf(CommandError);
  expect(secretNamesIn(tracesOf(error))).toEqual([]);
});

it("docs/configuration.md lists exactly the values that the full description marks as sensitive", () => {
  const docs = readFileSync(join(root, "docs/configuration.md"), "utf8");
  const [, list = ""] = /marks these values as sensitive:\n\n(.*?)\n\n/s.exec(docs) ?? [];
  const listed = new Set([...list.matchAll(/`(.+?)`/g)].map(([, name]) => name));
  const marked = new Set(fullSensitive.map((pointer) => nameAt(full.document, pointer)));
  expect([...listed].toSorted()).toEqual([...marked].toSorted());
  const others = sensitive.map((pointer) => nameAt(catalogue.document, pointer));
  for (const name of others) expect(docs).toContain(`\`${name}\``);
  expect(others.filter((name) => !marked.has(name))).toEqual(["query"]);
});

/** Returns the name of a sensitive value. A branch or an item has the name of the enclosing property. */
function nameAt(document: Json, pointer: string): string {
  const inside = /^(.*\/properties\/[^/]+)(\/(anyOf|oneOf|items)(\/\d+)?)*$/;
  const property = inside.exec(pointer)?.[1] ?? pointer;
  return String(getAtPointer(document, `${pointer}/name`) ?? lastKey(property));
}
