import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../../generated/operations.js";
import { createCatalogue } from "../../client/create-catalogue.js";
import { CommandError } from "../shared/command-error.js";
import { formatMediaType } from "../../openapi/route.js";
import { parseContent } from "../input/recording.js";
import { escapeInvisible } from "../report/format-report.js";
import { createBuiltInPlan, isReadOnly, readPlan, toRequest } from "./plan.js";
import type { PlannedCall, SkippedCall } from "./plan.js";
import type { RawExchange, Secrets } from "./redact-exchange.js";

/** Options of a run that records responses or checks them immediately. */
export interface RunOptions {
  baseUrl: string;
  token: string;
  signal?: AbortSignal | undefined;
  /** Whether to call operations that change data, too. */
  allowWrites?: boolean | undefined;
  /** A plan file. @default one call of every read-only operation whose parameters have examples */
  plan?: string | undefined;
  /** Source of the values `$CATALOGUE_…` in the plan. @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /** Milliseconds between two calls. @default 250 */
  delay?: number | undefined;
  /** Receives one line for each finished case, without sensitive values. */
  log?: ((line: string) => void) | undefined;
  /** Receives the call that starts, and `""` after the last one. */
  showProgress?: ((text: string) => void) | undefined;
}

/** A case with the result of its call. */
export interface CallResult {
  planned: PlannedCall;
  /** The exchange, with its sensitive values, or the reason why there is no response. */
  outcome: RawExchange | Error;
}

/** The reason for a case that was skipped because of an abort. */
export const INTERRUPTED = "interrupted";

/** Statuses that say nothing about the contract: the client has already waited and retried. */
export const INCONCLUSIVE_STATUSES = new Set([408, 429]);

/** After these errors, no later call can succeed. */
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED/;

/**
 * Prepares a run. `skipped` lists what was never planned for this run, and `uncalled` the planned cases without a call.
 * @throws {CommandError} if an option or the plan is invalid; nothing was sent
 */
export async function prepareRun({ showProgress, signal, ...options }: RunOptions) {
  const { baseUrl, token, allowWrites = false, delay = 250, env = process.env } = options;
  const call = createCaller(baseUrl, token, signal);
  const plan = options.plan === undefined ? createBuiltInPlan() : await readPlan(options.plan, env);
  const skipped = [...plan.skipped];
  const uncalled = [...plan.unset];
  const cases = plan.cases.filter(({ name, operation }) => {
    const isAllowed = allowWrites || isReadOnly(operation);
    const reason = "it changes data; pass --allow-writes";
    if (!isAllowed) skipped.push({ name, kind: "changes data", reason });
    return isAllowed;
  });

  /** Makes all calls sequentially. An abort skips the remaining cases. */
  async function callAll(wanted: readonly PlannedCall[]): Promise<CallResult[]> {
    const called: CallResult[] = [];
    let reason: string | undefined;
    for (const [index, planned] of wanted.entries()) {
      const { name } = planned;
      if (index > 0 && !reason) await sleep(delay, undefined, { signal }).catch(() => {});
      showProgress?.(`[${index + 1}/${wanted.length}] ${name}`);
      const outcome = reason || signal?.aborted ? undefined : await call(planned);
      if (signal?.aborted) reason = INTERRUPTED;
      if (outcome === undefined || signal?.aborted) {
        uncalled.push({ name, reason: reason ?? INTERRUPTED });
        continue;
      }
      called.push({ planned, outcome });
      const isError = outcome instanceof Error;
      if (isError && UNREACHABLE.test(outcome.message)) reason = "the host cannot be reached";
      if (!isError && outcome.response.status === 429)
        reason = "the service is rate-limiting (429); run again later";
    }
    showProgress?.("");
    return called;
  }
  return { cases, skipped, uncalled, secrets: [token, ...plan.secrets], callAll };
}

/** Describes why a case failed, without its body and without sensitive values. */
export function describeFailure(
  { planned: { name }, outcome }: CallResult,
  { redact }: Secrets,
  problem: string,
): SkippedCall {
  const isError = outcome instanceof Error;
  const { status, headers } = isError ? { status: 0, headers: {} } : outcome.response;
  const reason = isError
    ? escapeInvisible(redact(outcome.message)).slice(0, 300)
    : `status ${status}, ${formatMediaType(headers["content-type"])}; ${problem}`;
  return { name, reason };
}

/** The client without generated types, because the operations are known only at run time. */
type Send = (method: string, path: string, init: object) => Promise<unknown>;

/** @throws {CommandError} if the token or the URL is invalid, such as plain http to a remote host */
function createCaller(baseUrl: string, token: string, signal?: AbortSignal) {
  let last: [response: Response, text: string] | [] = [];
  // Reads the raw body before the client parses it.
  const capture = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    last = [];
    const response = await fetch(...args);
    last = [response, await response.text()];
    return new Response(last[1] || null, response);
  };
  let send: Send;
  try {
    // A deployment can ask for delays of 30 s.
    const options = { baseUrl, token, retries: 3, timeout: 120_000, fetch: capture };
    send = createCatalogue(options).http.request as unknown as Send;
  } catch (error) {
    // The client's errors mention options that the command line names differently, or does not have.
    const problem = (error as Error).message.replace(
      /^createCatalogue: | or set allowInsecure/g,
      "",
    );
    throw new CommandError(problem.replace("baseUrl", "--base-url"));
  }
  return async ({ operation, sent }: PlannedCall): Promise<RawExchange | Error> => {
    const [method, template] = operations[operation];
    last = [];
    const { path = {}, query = {}, body } = sent;
    const init = { params: { path, query }, body, signal, parseAs: "text" };
    const failure = await send(method, template, init).catch((error: Error) => error);
    const [response, text = ""] = last as [Response?, string?];
    if (response === undefined) return failure as Error;
    const { status, headers } = response;
    try {
      const received = { status, headers: Object.fromEntries(headers), ...parseContent(text) };
      const request = { ...toRequest(sent), token };
      return { operation, request, response: received };
    } catch (error) {
      return new Error(`the response ${(error as Error).message}`);
    }
  };
}
