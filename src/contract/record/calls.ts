import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { check, CommandError } from "../../cli/command-error.js";
import { operations } from "../../generated/operations.js";
import { createCatalogue } from "../../index.js";
import { fillPath } from "../../url.js";
import type { Item } from "../input/read.js";
import { contentOf } from "../input/recording.js";
import { visible } from "../report/report.js";
import { collectSecrets, createSecrets, hideInText } from "../secrets.js";
import { builtInPlan, isRead, readPlan, type Missing, type PlannedCase } from "./plan.js";
import { hidePersonal, scrub, type RawExchange } from "./scrub.js";

/** Options of a run that records responses or checks them immediately. */
export interface RunOptions {
  baseUrl: string;
  token: string;
  signal?: AbortSignal | undefined;
  /** Also calls operations that change data. */
  write?: boolean | undefined;
  /** A plan file. @default one call of every read-only operation that needs only public identifiers */
  plan?: string | undefined;
  /** Source of the values `$CATALOGUE_…` in the plan. @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /** Milliseconds between two calls. @default 250 */
  pause?: number | undefined;
  /** Receives progress, one line at a time, without secrets. */
  log?: ((line: string) => void) | undefined;
}

/** Options that `record` and `contract --live` share. */
export const RUN_OPTIONS = {
  "base-url": { type: "string" },
  plan: { type: "string" },
  pause: { type: "string" },
  write: { type: "boolean" },
} as const;
type RunValues = ReturnType<typeof parseArgs<{ options: typeof RUN_OPTIONS }>>["values"];

/**
 * The token comes from the environment, because other processes can read command-line arguments.
 * @throws {CommandError} it is missing
 */
export function runOptionsOf(values: RunValues): RunOptions {
  const { "base-url": baseUrl, plan, pause = "250", write } = values;
  const { CATALOGUE_TOKEN: token } = process.env;
  check(baseUrl, "No --base-url: give the absolute URL of a deployment.");
  check(/^\d{1,6}$/.test(pause), `--pause must be a number of milliseconds, not ${pause}.`);
  check(token, "No access token: set CATALOGUE_TOKEN in the environment.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  return { baseUrl, token, plan, pause: Number(pause), write, log: printLine, signal: stop.signal };
}

/** Standard output is for results only. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A case with the result of its call. */
export interface Called {
  planned: PlannedCase;
  /** The exchange, secrets included, or the reason why the call failed. */
  outcome: RawExchange | Error;
}

/** The reason for a case that was skipped because of an abort. */
export const INTERRUPTED = "interrupted";

/** 4xx statuses that are not caused by the request itself. */
const NOT_NOW = new Set([407, 408, 429]);

/** After these errors, no later call can succeed. */
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED/;

/**
 * Prepares a run.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 */
export async function prepare({ log = () => {}, signal, ...options }: RunOptions) {
  const { baseUrl, token, write = false, pause = 250, env = process.env } = options;
  const call = createCaller(baseUrl, token, signal);
  const plan = options.plan === undefined ? builtInPlan() : await readPlan(options.plan, env);
  const secrets = createSecrets([token, ...plan.secrets]);
  const leftOut = [...plan.leftOut];
  const cases = plan.cases.filter(({ name, operation }) => {
    const isAllowed = write || isRead(operation);
    if (!isAllowed) leftOut.push({ name, reason: "it changes data; pass --write to call it" });
    return isAllowed;
  });

  /** Makes all calls sequentially, and learns their secrets. An abort skips the remaining cases. */
  async function callAll(wanted: readonly PlannedCase[]): Promise<Called[]> {
    const called: Called[] = [];
    let status = 0;
    let isReachable = true;
    for (const [index, planned] of wanted.entries()) {
      const { name } = planned;
      if (status === 429) {
        // The client has already waited and retried.
        leftOut.push({ name, reason: "the service asked for a pause" });
        continue;
      }
      if (!isReachable) {
        leftOut.push({ name, reason: "the host cannot be reached" });
        continue;
      }
      if (index > 0) await sleep(pause, undefined, { signal }).catch(() => {});
      const outcome = signal?.aborted ? undefined : await call(planned);
      if (outcome === undefined || signal?.aborted) {
        leftOut.push({ name, reason: INTERRUPTED });
        continue;
      }
      secrets.learn(String(planned.path.account_id ?? ""));
      collectSecrets(outcome instanceof Error ? outcome.message : outcome, secrets, true);
      status = outcome instanceof Error ? 0 : outcome.response.status;
      isReachable = !(outcome instanceof Error && UNREACHABLE.test(outcome.message));
      called.push({ planned, outcome });
      log(`[${index + 1}/${wanted.length}] ${name}: ${status || "no response"}`);
    }
    return called;
  }

  /** Logs a failed call without secrets and control characters. Call it when all secrets are known. */
  function fail({ planned: { name }, outcome }: Called, problem = problemOf(outcome)): Missing {
    // Hides before it cuts, because half a secret cannot be recognized.
    const clean = hideInText(problem.slice(0, 100_000), secrets);
    const reason = visible(hidePersonal(clean)).slice(0, 300);
    log(`failed ${name}: ${reason}`);
    return { name, reason };
  }
  return { cases, leftOut, secrets, callAll, fail };
}

/** The share of read-only operations that must respond as planned. */
const ENOUGH = 0.9;

/**
 * Calls a deployment for the gate. A 4xx refusal is checked too, but its operation counts as reached only if the plan
 * expects a refusal.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 * @returns items without secrets, because reports quote them, and whether too few operations were reached
 */
export async function live(options: RunOptions) {
  const { log = () => {}, signal } = options;
  const { cases, leftOut, secrets, callAll, fail } = await prepare(options);
  const called = await callAll(cases);
  signal?.throwIfAborted();
  const items = called.map((each): Item => {
    const { planned, outcome } = each;
    if (outcome instanceof Error || kindOf(outcome) === "neither") {
      return { file: fail(each).name, skipped: "no response" };
    }
    const name = `live:${planned.name.replace(/\/typical$/, "")}`;
    const locate = () => ({ file: name, line: 1, column: 1 });
    const clean = scrub(outcome, { secrets, keepUndeclared: true });
    const repeated = outcome.response.repeated?.map((key) => hideInText(key, secrets)) ?? [];
    return { exchange: { ...clean, response: { ...clean.response, repeated }, name, locate } };
  });
  const missing = leftOut.map(({ name }): Item => ({ file: name, skipped: "not called" }));
  // A short plan must not make a run conclusive, so the share also includes the built-in plan.
  const due = new Set(
    [...cases, ...builtInPlan().cases].map(({ operation }) => operation).filter(isRead),
  );
  const reached = new Set(called.filter(isExpected).map((each) => each.planned.operation));
  const count = [...due].filter((operation) => reached.has(operation)).length;
  log(`reached ${count} of ${due.size} operations`);
  return { items: [...items, ...missing], inconclusive: count < ENOUGH * due.size };
}

/** Whether the plan expects this kind of response. */
export function isExpected({ planned, outcome }: Called): boolean {
  return kindOf(outcome) === (planned.error ? "refusal" : "success");
}

/** A success, a 4xx refusal, or neither, if the service failed. */
function kindOf(outcome: RawExchange | Error): "success" | "refusal" | "neither" {
  const status = outcome instanceof Error ? 0 : outcome.response.status;
  if (status >= 200 && status < 300) return "success";
  return status >= 400 && status < 500 && !NOT_NOW.has(status) ? "refusal" : "neither";
}

function problemOf(outcome: RawExchange | Error): string {
  if (outcome instanceof Error) return outcome.message;
  const { status, body, text = "without a body" } = outcome.response;
  return `status ${status} ${body === undefined ? text : JSON.stringify(body)}`;
}

/** The client without generated types, because the operations are known only at run time. */
type Request = (method: string, path: string, init: object) => Promise<unknown>;

/** @throws {CommandError} the token or the URL is wrong, such as plain http to a remote host */
function createCaller(baseUrl: string, token: string, signal?: AbortSignal) {
  let last: [response: Response, text: string] | [] = [];
  // Reads the raw body before the client parses it.
  const capture = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    last = [];
    const response = await fetch(...args);
    last = [response, await response.text()];
    return new Response(last[1] || null, response);
  };
  let request: Request;
  try {
    // A service may request pauses of 30 s.
    const options = { baseUrl, token, retries: 3, timeout: 120_000, fetch: capture };
    request = createCatalogue(options).http.request as unknown as Request;
  } catch (error) {
    // The client's errors mention options that the command line names differently, or lacks.
    const problem = (error as Error).message.replace(
      /^createCatalogue: | or set allowInsecure/g,
      "",
    );
    throw new CommandError(problem.replace("baseUrl", "--base-url"));
  }
  return async ({ operation, path, sent, shown }: PlannedCase): Promise<RawExchange | Error> => {
    const [method, template] = operations[operation];
    last = [];
    const params = { path, query: sent.query ?? {} };
    const init = { params, body: sent.body, signal, parseAs: "text" };
    const failure = await request(method, template, init).catch((error: Error) => error);
    const [response, text = ""] = last as [Response?, string?];
    if (response === undefined) return failure as Error;
    const headers = Object.fromEntries(response.headers);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) headers["set-cookie"] = cookies.join("\n");
    const shownPath = fillPath(operation, template, shown.path);
    try {
      const { kept, repeated = [] } = contentOf(text);
      return {
        operation,
        request: { method: method.toUpperCase(), path: shownPath, ...shown.sent },
        response: { status: response.status, headers, ...kept, repeated },
      };
    } catch (error) {
      return new Error(`The response ${(error as Error).message}`);
    }
  };
}
