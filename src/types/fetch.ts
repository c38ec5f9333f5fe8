/**
 * A function that sends a request, typed by what the client passes and needs, so that the `fetch` of any library fits.
 * The client passes its `fetchOptions` as well.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** The init object that the client passes to `fetch`. */
export interface FetchInit {
  method: string;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  redirect: "manual";
  /** The body as text. A body is FormData or an ArrayBuffer only if the app passes one through `http` or middleware. */
  body?: string;
  /** A signal that fires on timeout or abort. Missing if the call has neither a timeout nor a signal. */
  signal?: AbortSignal;
}

/** The part of a response that the client's methods need. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText?: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}
