import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { TOKEN, type Responder } from "../support/server.js";

const operation = "movies.deleteRating";
const INVALID_KEY = { status_code: 7, status_message: "Invalid API key" };
const apiError = {
  name: "ApiError",
  operation,
  status: 401,
  serviceCode: 7,
  message: "movies.deleteRating: 401 Invalid API key (status_code 7)",
};
const aborted = { name: "AbortError" };
const timeout = expect.objectContaining({ name: "TimeoutError", timeoutMs: 100 });

/** The expected results of the scenarios, except for the redirect, whose result depends on the platform. */
export const EXPECTED = {
  success: ["one", "two"],
  header: ["opaque", "https://catalogue.example/approve"],
  retried: 603,
  body: { created: true },
  apiError,
  html: expect.objectContaining({ name: "InvalidJsonError", status: 200 }),
  abort: aborted,
  abortedBefore: aborted,
  timeout,
  stalledBody: timeout,
  dropped: expect.objectContaining({ name: "ConnectionError", operation: "networks.details" }),
  invalidHeader: { name: "TypeError" },
  http: { id: 603, results: {} },
  httpError: INVALID_KEY,
  watchedError: apiError,
  watchedBody: { created: true },
  invalidBody: expect.objectContaining({ name: "ContractError", operation: "people.popular" }),
  texts: ["DELETE", "DELETE", "POST"].flatMap((method) => [
    method,
    JSON.stringify(method === "POST" ? { created: true } : INVALID_KEY),
  ]),
};

/** Creates the service that the scenarios call. Its CORS headers allow calls from every origin. */
export function catalogue(preflights: Set<string>): Responder {
  let isRetry = false;
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  return (response, { method, headers, url }) => {
    response.setHeader("access-control-allow-origin", "*");
    if (method === "OPTIONS") {
      preflights.add(headers["access-control-request-headers"] as string);
      response.setHeader("access-control-allow-headers", "authorization, content-type");
      response.setHeader("access-control-allow-methods", "DELETE");
      return response.writeHead(204).end();
    }
    if (headers.authorization !== `Bearer ${TOKEN}`) return json(response, 403, {});
    const { pathname, searchParams } = new URL(url, "http://catalogue.test");
    switch (pathname) {
      case "/3/person/popular": {
        const page = Number(searchParams.get("page"));
        const results = [{ name: page === 1 ? "one" : "two" }];
        return json(response, 200, { page, total_pages: 2, results });
      }
      case "/3/authentication/token/new":
        response.setHeader("access-control-expose-headers", "authentication-callback");
        response.setHeader("authentication-callback", "https://catalogue.example/approve");
        return json(response, 200, { request_token: "opaque", expires_at: "", success: true });
      case "/3/authentication/session/convert/4":
        return json(response, 200, { created: true });
      case "/3/movie/603/watch/providers":
        if (isRetry) return json(response, 200, { id: 603, results: {} });
        isRetry = true;
        return json(response, 503, {});
      case "/3/movie/603/rating":
        return json(response, 401, INVALID_KEY);
      case "/3/movie/latest":
        return response.writeHead(302, { location: "/3/person/popular" }).end();
      case "/3/genre/tv/list":
        return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Login</h1>");
      case "/3/movie/603/lists":
        return response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
      case "/3/network/49":
        return response.socket?.destroy();
      default:
        // The service never responds to other requests, because the scenarios abort these calls or let them time out.
        return undefined;
    }
  };
}
