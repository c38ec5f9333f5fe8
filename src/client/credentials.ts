import type { Deadline } from "./deadline.js";
import { invalidArgument, IS_SET } from "./errors.js";
import { describeType } from "./text.js";

/**
 * A function that returns a token or an API key, or a promise for it. The client calls the function for every attempt.
 * If the service rejects the result with a 401, the client calls the function once more with the rejected value, and
 * sends the request again if the function returns a different one. Calls whose value was rejected share this call.
 */
export type TokenProvider = (previous?: { rejected: string }) => string | Promise<string>;

/** Credentials for `createCatalogue`: an access token, or none. */
export interface TokenOptions {
  /**
   * Bearer token, or a function that the client calls to get the token for every attempt, or `false` to send no
   * credentials, for example to a proxy that adds them. The client sends the token only to the origin of `baseUrl`, and
   * never includes it in an error. If the function throws an error, the call rejects with that error, unchanged.
   */
  token: string | TokenProvider | false;
}

/** Credentials for `createCatalogue`: a v3 API key. */
export interface ApiKeyOptions {
  /**
   * v3 API key, or a function that the client calls to get the key for every attempt. The client sends the key as the
   * `api_key` query parameter, only to the origin of `baseUrl`, and never includes it in an error.
   */
  apiKey: string | TokenProvider;
}

/** Either a token or an API key. */
// TypeScript explains a credential that is missing or undefined by the last type, and of that type by its first part.
export type EitherCredential =
  (ApiKeyOptions & { token?: undefined }) | ({ apiKey?: undefined } & TokenOptions);

/** The unchecked credentials of a client. */
export interface CredentialOptions {
  readonly token?: unknown;
  readonly apiKey?: unknown;
}

export interface Credentials {
  /** The name of the option, for error messages. */
  readonly option: "token" | "apiKey";
  /** The query parameter that contains an API key. Undefined for a token. */
  readonly parameter: string | undefined;
  readonly value: string | TokenProvider;
  /** The most recent values, which errors must not contain. */
  readonly recent: Map<string, string>;
  /** The latest refreshes, by the value that was rejected. */
  readonly refreshes: Map<string, Refresh>;
}

/** A call of the token function after the service rejected a token. */
interface Refresh {
  readonly rejected: string;
  readonly token: Promise<string>;
  /** The time at which the new token was known. Calls share the refresh if their request started before this time. */
  sharedUntil: number;
}

/** The credentials of one call. */
export interface CallCredentials {
  /** The credentials of the client. Undefined if the client sends none. */
  readonly client: Credentials | undefined;
  /** All tokens that the call has received from the token function. */
  readonly used: string[];
  /** The token that all further attempts send. If undefined, each attempt calls the token function. */
  kept?: Promise<string> | string | undefined;
}

/** The number of recent tokens that a client remembers. All of them are searched for in each error. */
const MAX_RECENT = 20;
/** The number of refreshes that a client remembers. */
const MAX_REFRESHES = 1000;

/**
 * Checks the `token` and `apiKey` options.
 * @returns the credentials, or undefined if `token` is false
 * @throws {TypeError} if not exactly one of the options is set, or if the value is invalid
 */
export function checkCredentials(
  where: string,
  options: CredentialOptions,
  parameter: string | undefined,
): Credentials | undefined {
  const { token } = options;
  if (token !== undefined && options.apiKey !== undefined)
    throw invalidArgument(where, "pass either `token` or `apiKey`, not both");
  if (token === false) return undefined;
  // An API key from an environment variable that is not set is undefined.
  const isKey = token === undefined && "apiKey" in options && parameter;
  const option = isKey ? "apiKey" : "token";
  const value = options[option];
  return {
    option,
    parameter: isKey || undefined,
    value:
      typeof value === "function"
        ? (value as TokenProvider)
        : checkCredential(where, option, value),
    recent: new Map(typeof value === "string" ? [[value, value]] : []),
    refreshes: new Map(),
  };
}

/** Checks a token or a key. Rejects line breaks and other characters that are unsafe in a header. */
function checkCredential(where: string, option: Credentials["option"], value: unknown): string {
  if (typeof value !== "string") {
    const expected =
      option === "token"
        ? "a string, or a function that returns one, or false"
        : "a string or a function that returns one";
    const hint = value === undefined ? `; ${IS_SET}` : "";
    throw invalidArgument(
      where,
      `${option} must be ${expected}, not ${describeType(value)}${hint}`,
    );
  }
  if (/^[!-~]+$/.test(value)) return value;
  throw invalidArgument(where, `${option} ${problemWith(value)}`);
}

function problemWith(credential: string): string {
  if (credential.trim() === "") return `is empty; ${IS_SET}`;
  if (/^\s*bearer\s/i.test(credential)) return 'must not contain spaces; leave out "Bearer"';
  const [end] = /^\s|\s$/.exec(credential) ?? [];
  if (end === undefined) return "must contain only visible ASCII without spaces";
  return `starts or ends with ${/[\r\n]/.test(end) ? "a line break" : "a space"}; call its trim()`;
}

/** Gets the token or key for an attempt. Undefined if the client sends none. */
export function provideCredential(
  operation: string,
  credentials: CallCredentials,
): string | undefined | Promise<string> {
  const { client, kept } = credentials;
  // A function that is called as a method would receive all tokens as `this`.
  const value = client?.value;
  if (typeof value !== "function") return value;
  return noteCredential(operation, credentials, kept ?? value());
}

/**
 * Gets a new token or key after the service rejected one. Calls whose requests started before the new token was known
 * share one call of the token function, unless a call times out while it waits for the new token.
 * @param startedAt the time at which the rejected request started
 * @returns whether there is a different token, which the call then keeps
 */
export async function refreshCredential(
  operation: string,
  credentials: CallCredentials,
  rejected: string,
  startedAt: number,
  deadline: Deadline,
): Promise<boolean> {
  const { client } = credentials;
  if (typeof client?.value !== "function") return false;
  const { value, refreshes } = client;
  const latest = refreshes.get(rejected);
  // A function that is called as a method would receive all tokens as `this`.
  let refresh =
    latest && latest.sharedUntil >= startedAt
      ? latest
      : startRefresh(refreshes, rejected, (async () => value({ rejected }))());
  // The token function might never settle, and must not keep the calls that have ended in memory. Only a timeout, such as
  // that of `AbortSignal.timeout`, shows that the function is late.
  const end = new Promise<never>((_, reject) => {
    deadline.onEnd((reason) => {
      const isTimeout = (reason as Error | undefined)?.name === "TimeoutError";
      if (isTimeout && refresh.sharedUntil === Infinity) forget(refreshes, refresh);
      reject();
    });
  });
  for (;;) {
    const given = Promise.race([refresh.token, end]);
    const token = await noteCredential(operation, credentials, given);
    const next = refreshes.get(token);
    // If the service has rejected the new token as well, uses the one that replaced it.
    if (next && next.sharedUntil > refresh.sharedUntil) refresh = next;
    else return (credentials.kept = token) !== rejected;
  }
}

/** Shares a new token with all calls whose token was rejected. */
function startRefresh(
  refreshes: Map<string, Refresh>,
  rejected: string,
  token: Promise<string>,
): Refresh {
  const refresh: Refresh = { rejected, token, sharedUntil: Infinity };
  token.then(
    () => (refresh.sharedUntil = performance.now()),
    // Only the calls that wait for a refresh reject with its error.
    () => forget(refreshes, refresh),
  );
  remember(refreshes, rejected, refresh, MAX_REFRESHES);
  return refresh;
}

/** Stops sharing a refresh, unless another one has replaced it. */
function forget(refreshes: Map<string, Refresh>, old: Refresh): void {
  if (refreshes.get(old.rejected) === old) refreshes.delete(old.rejected);
}

/**
 * Waits for a token, checks it, and notes it for redaction. Later calls redact the token as well, because middleware can
 * return an old response that contains it.
 */
async function noteCredential(
  operation: string,
  { client, used }: CallCredentials,
  given: string | Promise<string>,
): Promise<string> {
  const { option, recent } = client!;
  const token = checkCredential(operation, option, await given);
  used.push(token);
  remember(recent, token, token, MAX_RECENT);
  return token;
}

/** Adds an entry at the end of a map, and drops the oldest entry of a full map. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value, max: number) {
  entries.delete(key);
  const [oldest] = entries.set(key, value).keys();
  if (entries.size > max) entries.delete(oldest!);
}
