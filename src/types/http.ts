/**
 * The paths of a description whose free-form parameters, named `query`, stand for query parameters of any name.
 * openapi-typescript would expect them in a property `query` inside the query.
 */
export type WithFreeQueries<Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: WithFreeQuery<Paths[Path][Method]>;
  };
};

type WithFreeQuery<Operation> = Operation extends { parameters: { query?: { query?: infer Free } } }
  ? string extends keyof NonNullable<Free>
    ? Omit<Operation, "parameters"> & {
        parameters: Omit<Operation["parameters"], "query"> & { query?: Free };
      }
    : Operation
  : Operation;

/** The part of a client that is not generated. */
export interface WithHttp<Http> {
  /**
   * The openapi-fetch client that the methods use. Calls through `http` use the same token, timeout, retries, and
   * argument checks as calls to methods. Use `http` to get `{ data, error }` results, to install middleware
   * (`http.use`), and to call undocumented endpoints (as an `UntypedHttpClient`). Calls through `http` also accept
   * `timeout`, `retries`, and `fetch` options, such as `cache`. With `parseAs: "stream"`, the timeout and the signal
   * apply only until the headers arrive. Middleware can change a request's URL, method, headers, and body.
   */
  readonly http: Http;
}
