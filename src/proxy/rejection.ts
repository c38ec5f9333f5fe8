/** The reason why the proxy does not pass on a request, or its response, with the status for the visitor. */
export class Rejection extends Error {
  override readonly name = "Rejection";

  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
