import { operations } from "../../src/generated/operations.js";
import { checkOptions } from "../../src/options.js";
import { parametersIn } from "../../src/path.js";
import { parsed, UsageError } from "../command-line.js";

/** A real deployment, and what of it may be called. */
export interface Deployment {
  baseUrl: string;
  token: string;
  /** Whether to call operations that change something. */
  write: boolean;
  /** Values of path parameters, by name. */
  ids: ReadonlyMap<string, string>;
}

export const USAGE = `Usage: npm start [-- --base-url URL [--id NAME=VALUE]... [--write]]

Checks the generated files, builds the package, calls every operation through it and judges each answer by
openapi/catalogue.yaml. Without --base-url it calls a sandbox that it starts on a free port of this machine.

  --base-url URL   call this deployment instead, with the access token in CATALOGUE_TOKEN; reads only
  --id NAME=VALUE  a path parameter that no recording can know, such as account_id=123; repeatable
  --write          also call what changes something: each path parameter of it has to be given with --id, and
                   its body in the environment, such as CATALOGUE_ACCESS_TOKEN
  -h, --help       print this

Exits with 0 if every answer is as described, 1 if one is not, 2 if the arguments are wrong.`;

/**
 * Reads the arguments.
 * @returns the deployment to call, undefined for the sandbox
 * @throws {UsageError} an argument or the environment is wrong
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Deployment | undefined {
  const values = parsed(args, {
    "base-url": { type: "string" },
    id: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
  });
  const baseUrl = values["base-url"];
  if (baseUrl === undefined) {
    if (values.write || values.id.length > 0) {
      throw new UsageError(
        "--write and --id choose what is called of a deployment; add --base-url",
      );
    }
    return undefined;
  }
  const token = env.CATALOGUE_TOKEN;
  if (!token) {
    throw new UsageError(
      "CATALOGUE_TOKEN is not set; put the access token of the deployment there",
    );
  }
  try {
    const checked = checkOptions({ baseUrl, token });
    return { baseUrl: checked.baseUrl, token, write: values.write, ids: readIds(values.id) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = error.message.replace(/^createCatalogue: /, "");
    throw new UsageError(
      message.replace(/^baseUrl/, "--base-url").replace(/^token/, "CATALOGUE_TOKEN"),
    );
  }
}

function readIds(pairs: readonly string[]): Map<string, string> {
  const known = new Set(Object.values(operations).flatMap(([, path]) => parametersIn(path)));
  return new Map(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]*)=(.+)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`--id ${pair} is not of the form NAME=VALUE`);
      }
      if (!known.has(name)) {
        throw new UsageError(
          `--id ${name} is no path parameter; known are ${[...known].join(", ")}`,
        );
      }
      return [name, value];
    }),
  );
}
