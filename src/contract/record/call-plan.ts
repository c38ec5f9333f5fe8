import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../../generated/full-operations.js";
import { createClient } from "../../client/create-client.js";
import { check, CommandError } from "../shared/command-error.js";
import { formatMediaType } from "../../openapi/route.js";
import { parseContent } from "../input/recording.js";
import { MAX_MEGABYTES } from "../input/split-har.js";
import { escapeInvisible } from "../report/format-report.js";
import { createBuiltInPlan, isReadOnly, readPlan, toRequest } from "./plan.js";
import type { PlannedCall, CaseReason } from "./plan.js";
import type { CompleteExchange } from "../../types/exchange.js";
import type { RunSecrets } from "./run-secrets.js";

/** Options for a run that calls a deployment, either to record the responses or to check them immediately. */
export interface DeploymentOptions {
  baseUrl: string;
  /** An access token, or a v3 API key. */
  token: string;
  /** Whether `token` is an API key. */
  isApiKey?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Whether to also call the operations that only the full description contains. */
  isFull?: boolean | undefined;
  /** Whether to also call operations that change data. */
  allowWrites?: boolean | undefined;
  /** The path to a plan file. @default one call to every read-only operation whose required parameters have examples */
  plan?: string | undefined;
  /** The environment variables that replace `$CATALOGUE_…` values in the plan. @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /** The pause between two calls in milliseconds. @default 250 */
  delay?: number | undefined;
  /** How many milliseconds to wait for each response. @default 30_000 */
  timeout?: number | undefined;
  /** Receives a line for each kept file, and for each skipped or failed case. No line contains a sensitive value. */
  log?: ((line: string) => void) | undefined;
  /** Receives the number and name of each call before it starts, and `""` after the last one. */
  showProgress?: ((text: string) => void) | undefined;
}

/** A planned call with its outcome. */
export interface CallResult {
  planned: PlannedCall;
  /** The exchange, including its sensitive values, or an error if there is no valid response. */
  outcome: CompleteExchange | Error;
}

/** The reason given for a case whose call had not finished when the command was aborted. */
export const INTERRUPTED = "interrupted";

/**
 * Statuses of temporary failures. The gate does not validate responses with these statuses, because the client has
 * already retried the calls.
 */
export const INCONCLUSIVE_STATUSES = new Set([408, 429]);

/** Error codes that mean that no later call can succeed. */
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED/;

/**
 * Prepares the calls. In the result, `skipped` lists the operations and cases that are skipped on purpose, and
 * `notCalled` lists the planned cases that could not be called.
 * @throws {CommandError} before any request is sent, if an option or the plan is invalid
 */
export async function prepareRun({ showProgress, signal, ...options }: DeploymentOptions) {
  const { isFull, allowWrites = false, delay = 250, log = () => {} } = options;
  const call = createCaller(options, signal);
  const plan =
    options.plan === undefined
      ? createBuiltInPlan(isFull)
      : await readPlan(options.plan, options.env ?? process.env, isFull);
  const skipped = [...plan.skipped];
  const notCalled = [...plan.missingValues];
  const cases = plan.cases.filter(({ name, entry }) => {
    const isAllowed = allowWrites || isReadOnly(entry.operation);
    const reason = "it changes data; pass --allow-writes";
    if (!isAllowed) skipped.push({ name, kind: "changes data", reason });
    return isAllowed;
  });

  /** Makes all calls sequentially. An abort skips the remaining cases. */
  async function callAll(wanted: readonly PlannedCall[]): Promise<CallResult[]> {
    const called: CallResult[] = [];
    let reason: string | undefined;
    // In CI, nothing shows the progress.
    const seconds = Math.round(((wanted.length - 1) * delay) / 1000);
    if (seconds > 0) log(`making ${wanted.length} calls, which takes at least ${seconds} s`);
    for (const [index, planned] of wanted.entries()) {
      const { name } = planned;
      if (index > 0 && !reason) await sleep(delay, undefined, { signal }).catch(() => {});
      showProgress?.(`[${index + 1}/${wanted.length}] ${name}`);
      const outcome = reason || signal?.aborted ? undefined : await call(planned);
      if (signal?.aborted) reason = INTERRUPTED;
      if (outcome === undefined || signal?.aborted) {
        notCalled.push({ name, reason: reason ?? INTERRUPTED });
        continue;
      }
      called.push({ planned, outcome });
      const isError = outcome instanceof Error;
      if (outcome instanceof SilenceError) {
        log(`${name}: ${outcome.message}`);
        // One call can be slow, but a deployment that does not respond twice in a row is down.
        if (called.at(-2)?.outcome instanceof SilenceError) reason = "the host does not respond";
      }
      if (isError && UNREACHABLE.test(outcome.message)) reason = "the host cannot be reached";
      if (!isError && outcome.response.status === 429)
        reason = "the service is rate-limiting (429); run again later";
    }
    showProgress?.("");
    return called;
  }
  return { cases, skipped, notCalled, secrets: [options.token, ...plan.secrets], callAll };
}

/** The error for a call without a response in time. */
class SilenceError extends Error {
  constructor(timeout: number) {
    super(`no response within ${timeout / 1000} s; check the deployment, or raise --timeout`);
  }
}

/** The error for a response body that is too large. */
class SizeError extends Error {
  constructor() {
    super(`the response body is larger than ${MAX_MEGABYTES} MB; leave the call out of the plan`);
  }
}

/** Reads a body as text. @throws {SizeError} as soon as the body is too large */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_MEGABYTES * 2 ** 20) throw new SizeError();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Describes why a case failed. The text contains neither the response body nor sensitive values. */
export function describeFailure(
  { planned: { name }, outcome }: CallResult,
  { redact }: RunSecrets,
  problem: string,
): CaseReason {
  const isError = outcome instanceof Error;
  const { status, headers } = isError ? { status: 0, headers: {} } : outcome.response;
  const reason = isError
    ? escapeInvisible(redact(outcome.message)).slice(0, 300)
    : `status ${status}, ${formatMediaType(headers["content-type"])}; ${problem}`;
  return { name, reason };
}

/** The `request` method of the client, without generated types, because operations are known only at run time. */
type Send = (method: string, path: string, init: object) => Promise<unknown>;

/**
 * Creates a function that makes a planned call.
 * @throws {CommandError} if the token or the base URL is invalid; a remote host, for example, needs an https URL
 */
function createCaller(
  { baseUrl, token, isApiKey = false, timeout = 30_000 }: DeploymentOptions,
  signal?: AbortSignal,
) {
  let last: [response: Response, text: string] | [] = [];
  let ending = new AbortController();
  // Keeps the response and its raw body before the client parses the body. Aborting the call, instead of only this
  // attempt, prevents retries of a call without a response, or with a response that is too large.
  const capture = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    last = [];
    const limit = AbortSignal.timeout(timeout);
    const stop = () => ending.abort(new SilenceError(timeout));
    limit.addEventListener("abort", stop);
    try {
      const response = await fetch(...args);
      last = [response, await readText(response)];
      return new Response(last[1] || null, response);
    } catch (error) {
      if (error instanceof SizeError) ending.abort(error);
      throw error;
    } finally {
      limit.removeEventListener("abort", stop);
    }
  };
  let send: Send;
  try {
    // The client can retry three times, even if the deployment asks for delays of 30 s.
    const credentials = isApiKey ? { apiKey: token } : { token: token || false };
    const limits = { retries: 3, timeout: 4 * timeout + 90_000 };
    const options = { baseUrl, ...credentials, ...limits, fetch: capture };
    send = createClient<{ http: { request: Send } }>({}, options, "api_key").http.request;
  } catch (error) {
    // The client's errors mention options that do not exist on the command line, or that have other names there.
    const problem = (error as Error).message.replace(/^createCatalogue: | or set allowHttp/g, "");
    const name = isApiKey ? "CATALOGUE_API_KEY" : "CATALOGUE_TOKEN";
    throw new CommandError(
      problem.replace("baseUrl", "--base-url").replace(/^(token|apiKey)\b/, name),
    );
  }
  check(token, "the access token is missing; set CATALOGUE_TOKEN or CATALOGUE_API_KEY");
  return async ({ name, entry }: PlannedCall): Promise<CompleteExchange | Error> => {
    const { operation, path = {}, query = {}, body } = entry;
    const { method, path: template } = operations[operation];
    last = [];
    ending = new AbortController();
    const either = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
    const init = { params: { path, query }, body, signal: either, parseAs: "text" };
    const failure = await send(method, template, init).catch((error: Error) => error);
    const [response, text = ""] = last as [Response?, string?];
    if (response === undefined) return failure as Error;
    const { status, headers } = response;
    try {
      const content = parseContent(text, headers.get("content-type") ?? "");
      const received = { status, headers: Object.fromEntries(headers), ...content };
      const request = { ...toRequest(entry), headers: { authorization: `Bearer ${token}` } };
      return { operation, name, request, response: received };
    } catch (error) {
      return new Error(`the response ${(error as Error).message}`);
    }
  };
}
