import { CommandError } from "../../cli/command-error.js";
import { operations } from "../../generated/operations.js";
import { createCatalogue } from "../../index.js";
import { fillPath } from "../../path.js";
import { contentOf } from "../input/recording.js";
import type { PlannedCase } from "./plan.js";
import type { RawExchange } from "./scrub.js";

/** The plain client, for operations that are data. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: string; error?: string; response: Response }>;

/** A service may ask for a pause of 30 s, and a few times so. */
const PATIENCE = { retries: 3, timeout: 120_000 };

/**
 * Makes a function that sends a case, and gives the answer, every secret still in it, or why there is none.
 * @throws {CommandError} the token or the URL is wrong, such as plain http to a host that is not loopback
 */
export function createCaller(baseUrl: string, token: string, signal?: AbortSignal) {
  let send: Send;
  try {
    const { http } = createCatalogue({ baseUrl, token, ...PATIENCE });
    http.use({ onResponse: ({ response }) => withTextOfRefusal(response) });
    send = http.request as unknown as Send;
  } catch (error) {
    // The command has no such option.
    throw new CommandError((error as Error).message.replace(" or set allowInsecure", ""));
  }
  return async ({ operation, path, sent }: PlannedCase): Promise<RawExchange | Error> => {
    const [method, template] = operations[operation];
    try {
      const params = { path, query: sent.query ?? {} };
      const init = { params, body: sent.body, signal, parseAs: "text" };
      const { data, error, response } = await send(method, template, init);
      const headers = Object.fromEntries(response.headers);
      const cookies = response.headers.getSetCookie();
      if (cookies.length > 0) headers["set-cookie"] = cookies.join("\n");
      const request = { method: method.toUpperCase(), path: fillPath(operation, template, path) };
      return {
        operation,
        request: { ...request, ...sent },
        response: { status: response.status, headers, ...contentOf(data ?? error ?? "").checked },
      };
    } catch (error) {
      signal?.throwIfAborted();
      return error as Error;
    }
  };
}

/** Of a refusal the client parses the body, if it can: in a string of JSON, it gives it as it was sent. */
async function withTextOfRefusal(response: Response): Promise<Response | undefined> {
  if (response.ok) return undefined;
  const text = await response.text();
  return new Response(text === "" ? null : JSON.stringify(text), response);
}
