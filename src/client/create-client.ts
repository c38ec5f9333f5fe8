import createOpenapiClient from "openapi-fetch";
import { RequestLike, runCall, type UntypedClient } from "./call.js";
import { checkNames, checkOptions, isObject } from "./checks.js";
import type { CredentialOptions } from "./credentials.js";
import { invalidArgument, unexpectedValue, withStack } from "./errors.js";
import { intercept } from "./intercept.js";
import { CALL_OPTIONS, createSettings, type ClientOptions, type Settings } from "./options.js";
import { FOR_PAGINATE, PAGING, type Paging } from "./paginate.js";
import {
  createTarget,
  prepareCall,
  queryNamesOf,
  type CallInput,
  type Target,
} from "./prepare-call.js";
import { withoutSecrets } from "./secrets.js";
import type { Result } from "../types/interceptor.js";
import type { BodyOptions } from "../types/method.js";
import type { OperationEntry, OperationTable } from "../types/operation.js";

type MethodOptions = Partial<BodyOptions<unknown>>;

/** Options for a call through `http`. Any additional options are `fetch` options. */
type HttpInit = CallInput["options"] & Partial<Pick<CallInput, "params"> & Pick<Target, "parseAs">>;

type Run = (target: Target, input: CallInput) => Promise<Result>;

/** Creates the openapi-fetch client that sends the calls of `runCall`. */
export function createSender({ baseUrl, headers }: Settings) {
  return createOpenapiClient({
    baseUrl,
    headers,
    // `prepareCall` has already serialized the body.
    bodySerializer: (text: unknown) => text,
    Request: RequestLike as unknown as typeof Request,
  });
}

/**
 * Creates a client for one deployment, with a method for every operation in the table.
 * @param keyName the query parameter that contains an API key, if the description has such a parameter
 * @throws {TypeError} if an option is invalid; the message names the option
 */
export function createClient<Catalogue>(
  operations: OperationTable,
  options: ClientOptions & CredentialOptions,
  keyName?: string,
): Catalogue {
  const settings = createSettings("createCatalogue", options, keyName);
  const client = createSender(settings);
  const run: Run = (target, input) => {
    const call = prepareCall(settings, target, input);
    return settings.interceptors.length > 0
      ? intercept(call, (each) => runCall(client as UntypedClient, each))
      : runCall(client as UntypedClient, call);
  };
  const use: typeof client.use = (...middleware) => {
    settings.hasMiddleware = true;
    client.use(...middleware);
  };
  const queryNames = [...new Set(Object.values(operations).flatMap(queryNamesOf))];
  // The client would never send any other parameter.
  if (!queryNames.includes("*"))
    checkNames("createCatalogue", settings.query, queryNames, "query parameters");
  const catalogue: Record<string, Record<string, unknown>> = {};
  for (const [operation, entry] of Object.entries(operations)) {
    const [group, name] = operation.split(".") as [string, string];
    (catalogue[group] ??= {})[name] = createMethod(run, settings, operation, entry);
  }
  return {
    ...catalogue,
    http: { ...client, ...createVerbs(run, settings, client, operations), use },
  } as Catalogue;
}

/** Creates the method for an operation. The method takes the path parameters, if any, and then the options. */
function createMethod(run: Run, settings: Settings, operation: string, entry: OperationEntry) {
  const { method, path, maxPage = Infinity, items, body: bodyUse } = entry;
  const validNames = [...CALL_OPTIONS, ...(bodyUse ? ["body"] : [])];
  const known = { operation, method, path, entry, parseAs: "json", viaHttp: false } as const;
  const target = createTarget(settings, { ...known, needsResponse: false });
  const targetWithResponse = { ...target, needsResponse: true };
  const [name, secondName] = target.pathNames;
  const optionsIndex = name ? 1 : 0;
  const hasPages = ["page", "*"].some((each) => target.queryNames.includes(each));

  const start = (to: Target, parameters: unknown[]) => {
    const [first] = parameters;
    const values = secondName ? (first ?? {}) : name ? { [name]: first } : {};
    checkNames(operation, values, target.pathNames, "path parameters");
    const options = parameters[optionsIndex] ?? {};
    // `paginate` passes the page number to a function that is not a method.
    const wrapped = typeof options === "number" && hasPages ? `; ${FOR_PAGINATE}` : "";
    const advice = `; query parameters belong in \`query\`${wrapped}`;
    checkOptions(operation, options, validNames, advice);
    if (parameters.length > optionsIndex + 1) {
      throw invalidArgument(operation, "no argument can follow the options");
    }
    const { query, body, fetchOptions } = options as MethodOptions;
    if (bodyUse === "required" && (body ?? undefined) === undefined) {
      throw invalidArgument(operation, "the `body` option is required");
    }
    return run(to, { params: { path: values, query }, options, fetchOptions });
  };
  // Bun's `captureStackTrace` finds neither anonymous functions nor functions that wait for the current one.
  async function call(parameters: unknown[]) {
    try {
      return (await start(target, parameters)).data;
    } catch (error) {
      throw withStack(error, call);
    }
  }
  async function withResponse(...parameters: unknown[]) {
    try {
      const { data, response } = await start(targetWithResponse, parameters);
      return { data, response };
    } catch (error) {
      throw withStack(error, withResponse);
    }
  }
  // The computed key gives the function a name, which `inspect` shows.
  const methods = { [operation]: (...parameters: unknown[]) => call(parameters) };
  const pathArguments = secondName ? [`{ ${target.pathNames.join(", ")} }`] : target.pathNames;
  const paging: Paging = { pathArguments, maxPage: hasPages ? maxPage : 0, items };
  return Object.assign(methods[operation]!, { withResponse, [PAGING]: paging });
}

const PARSE_AS = ["json", "text", "blob", "arrayBuffer", "stream"] as const;
const PARAMS = ["path", "query", "header"];

/**
 * Removes the parameters from a path, so that a path with values has the same form as its template. A segment without a
 * digit could also be a part of an undocumented path, a segment with an escaped slash could be two, and the first segment
 * is the version.
 */
function withoutValues(path: string): string {
  return path.replace(/(?!^)\/[^/%]*[\d}][^/%]*(?=\/|$)/g, "/{}");
}

/** Creates the functions of `http` that send requests, such as `http.GET` and `http.request`. */
function createVerbs(
  run: Run,
  settings: Settings,
  client: object,
  table: OperationTable,
): Record<string, unknown> {
  const entries = Object.values(table);
  const start = (verb: unknown, template: unknown, init: HttpInit) => {
    const [method, path] = [String(verb).toUpperCase(), String(template)];
    // Error messages contain the path without its query string and its session.
    const shownPath = withoutSecrets(path.split(/[?#]/)[0]!);
    const operation = path.startsWith("/") ? `${method} ${shownPath}` : method;
    if (!isObject(init)) throw unexpectedValue(operation, "options", "an object", init);
    const {
      params = {},
      parseAs = "json",
      body,
      headers,
      signal,
      timeout,
      retries,
      ...others
    } = init;
    checkNames(operation, params, PARAMS, "params");
    if (!PARSE_AS.includes(parseAs)) {
      throw invalidArgument(operation, `parseAs must be one of ${PARSE_AS.join(", ")}`);
    }
    const form = withoutValues(path);
    const candidates = entries.filter((each) => each.method === method);
    const entry =
      candidates.find((each) => each.path === path) ??
      candidates.find((each) => withoutValues(each.path) === form);
    const target = createTarget(settings, {
      operation,
      method,
      path,
      entry,
      parseAs,
      viaHttp: true,
      needsResponse: true,
    });
    checkNames(operation, params.path ?? {}, target.pathNames, "path parameters");
    const options = { body, headers, signal, timeout, retries };
    checkOptions(operation, options, Object.keys(options));
    return run(target, { params, options, fetchOptions: others });
  };
  async function request(verb: unknown, path: unknown, init?: HttpInit | null) {
    try {
      const { data, response } = await start(verb, path, init ?? {});
      return response!.ok ? { data, response } : { error: data, response };
    } catch (error) {
      throw withStack(error, request);
    }
  }
  const verbs: Record<string, unknown> = { request };
  for (const name of Object.keys(client)) {
    if (name === name.toUpperCase()) verbs[name] = request.bind(undefined, name);
  }
  return verbs;
}
