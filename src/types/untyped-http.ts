import type { RequestOptions } from "./method.js";

/** Options of a call through `UntypedHttpClient`. Any additional options are `fetch` options, such as `cache`. */
export interface UntypedInit
  extends
    Omit<RequestOptions, "fetchOptions">,
    Omit<RequestInit, keyof RequestOptions | "method" | "body" | "redirect"> {
  params?: {
    path?: Readonly<Record<string, string | number>>;
    query?: Readonly<Record<string, unknown>>;
    header?: Readonly<Record<string, string>>;
  };
  body?: unknown;
  parseAs?: "json" | "text" | "blob" | "arrayBuffer" | "stream";
}

type UntypedCall = (
  path: string,
  init?: UntypedInit,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/**
 * The methods of `catalogue.http`, for paths that the description does not contain.
 * @example
 * const http = catalogue.http as UntypedHttpClient;
 * const { data } = await http.GET("/4/list/{list_id}", { params: { path: { list_id: 1 } } });
 */
export type UntypedHttpClient = {
  readonly [Method in "GET" | "HEAD" | "PUT" | "POST" | "DELETE" | "PATCH"]: UntypedCall;
};
