import { bodyOf, type Result } from "./answer.js";
import { operations, type CatalogueMethods, type OperationId } from "./generated/operations.js";
import { atCaller, createHttp, type Http, type Run } from "./http.js";
import type { CallOptions } from "./method.js";
import { checkHeaders, checkOptions, type CatalogueOptions } from "./options.js";
import { parametersIn } from "./path.js";
import { kindOf } from "./text.js";
import type { Call } from "./transport.js";

/** Every operation of the description as a method, by group, and the plain client beneath them. */
export interface Catalogue extends CatalogueMethods {
  /** The openapi-fetch client: pairs of data and error, hooks through `use`, endpoints that are not described. */
  readonly http: Http;
}

/** Options as a method takes them at run time. */
type AnyOptions = CallOptions & { body?: unknown };

/**
 * Makes a client of one deployment. Nothing is sent until a method is called.
 * @throws {TypeError} an option is wrong; the message names it
 * @example
 * const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token });
 * const { results } = await catalogue.movies.watchProviders(603);
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const settings = checkOptions(options);
  const { http, run } = createHttp(settings);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [operation, [method, path]] of Object.entries(operations)) {
    const [group, name] = operation.split(".") as [string, string];
    (groups[group] ??= {})[name] = bind(run, operation as OperationId, method, path);
  }
  return Object.assign(groups, { http }) as unknown as Catalogue;
}

/** Turns the row of an operation into its method. */
function bind(run: Run, operation: OperationId, method: string, path: string) {
  const names = parametersIn(path);

  const send = async <Data>(
    parameters: unknown[],
    finish: (result: Result, call: Call) => Promise<Data>,
  ): Promise<Data> => {
    const [first, second] = parameters;
    const options = (names.length === 0 ? first : second) ?? {};
    if (kindOf(options) !== "an object") {
      throw new TypeError(`${operation}: options are ${kindOf(options)}; give an object`);
    }
    const { query, body, signal, timeout, headers: given } = options as AnyOptions;
    const headers = given === undefined ? given : checkHeaders(given, operation);
    const params = { path: pathValues(operation, names, first), query };
    const init = { params, body, headers, signal, timeout };
    try {
      return await run(operation, method, path, init, finish);
    } catch (error) {
      throw atCaller(error, operation, signal);
    }
  };

  return Object.assign((...parameters: unknown[]) => send(parameters, bodyOf), {
    withResponse: (...parameters: unknown[]) =>
      send(parameters, async (result, call) => ({
        data: await bodyOf(result, call),
        response: result.response,
      })),
  });
}

/** No path parameter: no values. One: the argument is its value. Several: the argument names them. */
function pathValues(operation: OperationId, names: string[], argument: unknown): object {
  if (names.length === 0) return {};
  if (names.length === 1) return { [names[0]!]: argument };
  if (typeof argument === "object" && argument !== null) return argument;
  throw new TypeError(
    `${operation}: path parameters are ${kindOf(argument)}; give an object of ${names.join(", ")}`,
  );
}
