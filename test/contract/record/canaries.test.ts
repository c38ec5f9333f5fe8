import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "../../../src/cli/command-error.js";
import { live } from "../../../src/contract/record/live.js";
import { record } from "../../../src/contract/record/record.js";
import { tracesOf } from "../../support/canary.js";
import { scratchFolder } from "../../support/scratch.js";
import { rejection, serve, type Answer } from "../../support/server.js";
import { canaries, canBeRead, encodings } from "./canaries.js";
import { filesIn, planFile } from "./support.js";

const secrets = Object.values(canaries);

/** Every canary where a service may put it by name, and all of them in every encoding where no name tells. */
const echoes = {
  request_token: canaries.requestToken,
  session_id: canaries.sessionId,
  guest_session_id: canaries.guestSessionId,
  refresh_token: canaries.refreshToken,
  auth: { client_secret: canaries.clientSecret, id_token: { value: canaries.uuid } },
  password: canaries.password,
  expires_at: "2026-01-15 18:30:00 UTC",
  pages: [
    `https://catalogue.example/next?api_key=${canaries.apiKey}&page=2`,
    encodeURIComponent(`https://catalogue.example/?session_id=${canaries.urlInText}&x=1`),
    `https://robot:${canaries.userinfo}@catalogue.example/`,
    `The header was: Bearer ${canaries.jwt}`,
  ],
  log: JSON.stringify({ request: { access_token: canaries.nestedJson } }),
  [`under ${canaries.bearer}`]: { [Buffer.from(canaries.bearer).toString("base64")]: 1 },
  ...Object.fromEntries(
    Object.entries(encodings).map(([name, encode]) => [name, secrets.map(encode)]),
  ),
};

const headers = {
  "authentication-callback": `https://catalogue.example/authenticate/${canaries.callbackToken}?state=${canaries.callbackQuery}`,
  "set-cookie": `sid=${canaries.cookie}; Path=/`,
  "x-csrf-token": canaries.csrfHeader,
  authorization: `Bearer ${canaries.bearer}`,
  etag: `W/"${canaries.bearer}"`,
  vary: encodeURIComponent(canaries.bearer),
  link: `<https://catalogue.example/?request_token=${canaries.requestToken}>; rel="next"`,
  "cache-control": Buffer.from(canaries.bearer).toString("base64"),
};

const echo =
  (status: number, body: unknown = echoes): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

const plan = () =>
  planFile([
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
    { operation: "movies.lists", case: "typical", path: { movie_id: canaries.bearer } },
    { operation: "movies.lists", case: "refused", path: { movie_id: 1 }, error: true },
    { operation: "movies.changes", case: "offline", path: { movie_id: 1 } },
    { operation: "movies.changes", case: "no-json", path: { movie_id: 2 } },
    { operation: "authentication.createRequestToken", case: "typical" },
  ]);

const env = { CATALOGUE_ACCOUNT: canaries.accountId, CATALOGUE_ACCESS: canaries.accessToken };

/** A service that gives away everything, in successes, in refusals, and in what is no JSON. */
function hostile() {
  const message = Object.values(echoes).flat().join(" ");
  return serve(
    echo(200),
    echo(200),
    echo(200),
    echo(404, { success: false, status_code: 34, status_message: message }),
    echo(418, { success: false, status_code: 7, status_message: message.slice(0, 2000) }),
    echo(200, message),
    echo(200),
  );
}

function readable(text: string): string[] {
  return Object.entries(canaries).flatMap(([name, secret]) =>
    canBeRead(text, secret) ? [name] : [],
  );
}

it("has none of twenty canaries on disk or in a line of its log, whatever the service echoes", async () => {
  const { url } = await hostile();
  const out = await scratchFolder();
  const lines: string[] = [];
  const options = { baseUrl: url, token: canaries.bearer, env, plan: await plan(), write: true };

  const summary = await record({ ...options, out, pause: 0, log: (line) => lines.push(line) });

  expect(secrets).toHaveLength(20);
  expect(summary.failed.map(({ name }) => name)).toEqual([
    "movies.changes/offline",
    "movies.changes/no-json",
  ]);
  expect(summary.recorded).toHaveLength(5);
  expect(readable([...filesIn(out)].flat().join("\n"))).toEqual([]);
  expect(readable(`${lines.join("\n")}${JSON.stringify(summary)}`)).toEqual([]);
});

it("hands none of twenty canaries to the judge, whose reports quote what they are about", async () => {
  const { url } = await hostile();
  const options = { baseUrl: url, token: canaries.bearer, env, plan: await plan(), write: true };
  const lines: string[] = [];

  const { items } = await live({
    ...options,
    pause: 0,
    log: (line) => lines.push(line),
  });

  expect(items.filter((item) => "exchange" in item)).toHaveLength(7);
  expect(readable(JSON.stringify({ items, lines }))).toEqual([]);
});

it("throws none of the canaries where the folder cannot be written", async () => {
  const { url } = await serve(echo(200));
  const out = join(await scratchFolder(), "file");
  writeFileSync(out, "");
  const options = { baseUrl: url, token: canaries.bearer, out, pause: 0 };

  expect(readable(tracesOf(await rejection(record(options))))).toEqual([]);
});

it("refuses a token that cannot be sent without quoting it", async () => {
  const token = `${canaries.bearer}\n`;
  const error = await rejection(record({ baseUrl: "http://localhost", token, out: "x" }));

  expect(error).toBeInstanceOf(CommandError);
  expect(readable(tracesOf(error))).toEqual([]);
});
