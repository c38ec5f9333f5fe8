import createClient, { type Client } from "openapi-fetch";
import { invalidArgument, rethrow } from "./errors.js";
import { operations, type CatalogueMethods } from "../generated/operations.js";
import type { paths } from "../generated/schema.js";
import type { BodyOptions } from "./method.js";
import { checkNames, checkObject, checkOptions, type CatalogueOptions } from "./options.js";
import { prepareCall, type CallArguments, type CallTarget } from "./prepare-call.js";
import { runCall, type Result, type UntypedClient } from "./run-call.js";
import { RequestLike } from "./transport.js";
import { parametersIn } from "./url.js";

/** The openapi-fetch client, typed by the description. */
export type HttpClient = Client<paths, "application/json">;

/** A method for every operation in the description, by group. */
export interface Catalogue extends CatalogueMethods {
  /**
   * The openapi-fetch client that the methods use, with the same token, deadline, retries, and checks. It resolves to
   * `{ data, error }`, installs hooks (`http.use`), and calls undescribed endpoints. Its calls also accept `timeout`,
   * `retries`, and other `fetch` options. With `parseAs: "stream"`, the timeout and the signal apply only until the
   * headers arrive. A hook can change a request's URL, method, headers, and body.
   */
  readonly http: HttpClient;
}

/** An entry in the generated table. `emptyStatuses` lists the 2xx statuses without content. */
type OperationEntry = readonly [
  method: string,
  path: string,
  emptyStatuses?: readonly number[],
  body?: "required" | "optional" | "none",
];

type MethodOptions = Partial<BodyOptions<unknown>>;

/** Options for a call through `http`: openapi-fetch's options and fetch's options. */
interface HttpInit extends CallArguments {
  parseAs?: CallTarget["parseAs"];
}

/** Runs a call whose arguments have not been checked yet. */
type Run = (target: CallTarget, given: CallArguments) => Promise<Result>;

/**
 * Creates a client for one deployment. It sends nothing until a method is called.
 * @throws {TypeError} an option is invalid; the message names it
 * @example
 * const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token });
 * const { results } = await catalogue.movies.watchProviders(603);
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const settings = checkOptions(options);
  const { baseUrl, headers } = settings;
  const client: HttpClient = createClient({
    baseUrl,
    headers,
    // The body of a prepared call is already serialized.
    bodySerializer: (text: unknown) => text,
    Request: RequestLike as unknown as typeof Request,
  });
  let isHooked = false;
  const run: Run = (target, given) =>
    runCall(client as UntypedClient, prepareCall(settings, target, given), () => isHooked);
  const use: HttpClient["use"] = (...hooks) => {
    isHooked = true;
    client.use(...hooks);
  };
  const catalogue: Record<string, Record<string, unknown>> = {};
  for (const [operation, entry] of Object.entries<OperationEntry>(operations)) {
    const [group, name] = operation.split(".") as [string, string];
    (catalogue[group] ??= {})[name] = createMethod(run, operation, entry);
  }
  return Object.assign(catalogue, {
    http: { ...client, ...createVerbs(run, client), use },
  }) as unknown as Catalogue;
}

const CALL_OPTIONS = ["query", "headers", "signal", "timeout", "retries", "fetchOptions"];

/** Creates a method that takes the path parameters (none, one, or several as an object) and the options. */
function createMethod(run: Run, operation: string, entry: OperationEntry) {
  const [verb, path, emptyStatuses = [], declaredBody] = entry;
  const method = verb.toUpperCase();
  const bodyUse = declaredBody ?? (/^(GET|HEAD|DELETE)$/.test(method) ? "none" : "required");
  const validNames = bodyUse === "none" ? CALL_OPTIONS : [...CALL_OPTIONS, "body"];
  const names = parametersIn(path);
  const target: CallTarget = { operation, method, path, parseAs: "json", emptyStatuses };

  const start = ([first, second]: unknown[]): Promise<Result> => {
    const values = names.length === 1 ? { [names[0]!]: first } : names.length > 1 ? first : {};
    checkObject(operation, `path parameters { ${names.join(", ")} }`, values);
    const options = (names.length === 0 ? first : second) ?? {};
    checkNames(operation, options, validNames);
    const { query, headers, body, signal, timeout, retries, fetchOptions } =
      options as MethodOptions;
    if (bodyUse === "required" && (body ?? undefined) === undefined) {
      throw invalidArgument(operation, "the `body` option is required");
    }
    const params = { path: values, query };
    return run(target, { params, headers, body, signal, timeout, retries, fetchOptions });
  };
  const withResponse = async (...parameters: unknown[]) => {
    try {
      return await start(parameters);
    } catch (error) {
      return rethrow(error, withResponse);
    }
  };
  // The key becomes the function's name, which `inspect` and stack traces show.
  const methods = {
    [operation]: async (...parameters: unknown[]) => {
      try {
        return (await start(parameters)).data;
      } catch (error) {
        return rethrow(error, methods[operation]!);
      }
    },
  };
  return Object.assign(methods[operation]!, { withResponse });
}

const PARSE_AS = ["json", "text", "blob", "arrayBuffer", "stream"] as const;
/** openapi-fetch options that a single call cannot set here. */
const CLIENT_ONLY = /^(baseUrl|fetch|Request|middleware|query|\w+Serializer)$/;

/** Creates the openapi-fetch client's calls, such as `GET` and `request`. */
function createVerbs(run: Run, client: HttpClient): Record<string, unknown> {
  const start = (verb: string, template: string, init: HttpInit): Promise<Result> => {
    const { params, headers, body, signal, timeout, retries, parseAs = "json", ...others } = init;
    const [method, path] = [`${verb}`.toUpperCase(), `${template}`];
    // A path must not contain a query, and that query might hold a secret.
    const operation = path.startsWith("/") ? `${method} ${path.split(/[?#]/)[0]}` : method;
    // An undefined option must not replace a default.
    const defined = Object.entries(others).filter(([, value]) => value !== undefined);
    const [refused] = defined.find(([name]) => CLIENT_ONLY.test(name)) ?? [];
    if (refused !== undefined) {
      const advice =
        "set baseUrl and fetch in createCatalogue, hooks with http.use, and the rest in params";
      throw invalidArgument(operation, `unknown option "${refused}"; ${advice}`);
    }
    if (!PARSE_AS.includes(parseAs)) {
      throw invalidArgument(operation, `parseAs must be one of ${PARSE_AS.join(", ")}`);
    }
    const fetchOptions = Object.fromEntries(defined);
    const target = { operation, method, path, parseAs };
    return run(target, { params, headers, body, signal, timeout, retries, fetchOptions });
  };
  const request = async (verb: string, path: string, init?: HttpInit | null) => {
    try {
      return await start(verb, path, init ?? {});
    } catch (error) {
      return rethrow(error, request);
    }
  };
  const verbs = Object.keys(client).filter((name) => name === name.toUpperCase());
  const bound = Object.fromEntries(verbs.map((verb) => [verb, request.bind(undefined, verb)]));
  return { ...bound, request };
}
