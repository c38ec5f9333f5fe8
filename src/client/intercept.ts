import { checkOptions } from "./checks.js";
import { provideCredential } from "./credentials.js";
import { withDeadline } from "./deadline.js";
import { invalidArgument, TimeoutError } from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { withoutSecrets } from "./secrets.js";
import type { Call, NextOptions, Result } from "../types/interceptor.js";

const NEXT_OPTIONS = ["signal", "timeout", "onAttempt"];

/**
 * Runs a call inside the client's interceptors. An abort ends the call at once, even if an interceptor ignores it.
 * @param run runs the call itself
 */
export function intercept(
  call: PreparedCall,
  run: (call: PreparedCall) => Promise<Result>,
): Promise<Result> {
  const { operation, needsResponse } = call.target;
  const dispatch = async (index: number, prepared: PreparedCall, shown: Call): Promise<Result> => {
    const interceptor = call.settings.interceptors[index];
    if (!interceptor) return run(prepared);
    const result = await interceptor(shown, async (changes: NextOptions = {}) => {
      checkOptions(`${operation}: next`, changes, NEXT_OPTIONS);
      const { signal = prepared.signal, timeout = prepared.timeout } = changes;
      const changed = { signal, timeout: timeout || Infinity };
      const onAttempt = (attempt: number) => {
        prepared.onAttempt?.(attempt);
        changes.onAttempt?.(attempt);
      };
      return dispatch(index + 1, { ...prepared, ...changed, onAttempt }, { ...shown, ...changed });
    });
    if ("data" in Object(result) && (result.response || !needsResponse)) return result;
    const expected = `{ data, attempts, source${needsResponse ? ", response" : ""} }`;
    const problem = `an interceptor must return the result of \`next\`, or ${expected}`;
    const hint =
      typeof result === "function" ? ", not a function; call it, as in `dedupe()` or `next()`" : "";
    throw invalidArgument(operation, problem + hint);
  };
  const start = async () => dispatch(0, call, describeCall(call));
  return withDeadline(Infinity, call.signal, undefined, start);
}

function describeCall(call: PreparedCall): Call {
  const { target, timeout, signal, secrets, search } = call;
  const { operation, method, entry, needsResponse } = target;
  const url = withoutSecrets(secrets.requests[0]!.url);
  const isPrivatePart = (part: string) => search.toLowerCase().includes(part);
  const isPublic =
    method === "GET" &&
    entry !== undefined &&
    !entry.isPrivate &&
    !entry.privateParts?.split(" ").some(isPrivatePart);
  const key = async () => `${method} ${url} ${hash(await variantOf(call))}`;
  return { operation, method, url, isPublic, needsResponse, timeout, signal, key };
}

/** Returns what changes a response: the URL with its secrets, the headers, and the token that a token function returns. */
async function variantOf(call: PreparedCall): Promise<string> {
  const { settings, target, headers, params, timeout, signal, secrets } = call;
  if (typeof secrets.client?.value === "function") {
    const onTimeout = () => new TimeoutError(target.operation, timeout);
    const provide = async () => provideCredential(target.operation, secrets)!;
    secrets.kept ??= withDeadline(timeout, signal, onTimeout, ({ count }) => count(provide));
  }
  const all = Object.entries({ ...settings.headers, ...headers, ...params.header });
  return JSON.stringify([secrets.requests[0]!.url, all.sort(), await secrets.kept]);
}

/** Returns a 64-bit FNV-1a hash. Does not use `crypto.subtle`, which React Native and pages on plain HTTP do not have. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(36);
}
