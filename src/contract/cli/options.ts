import { operations } from "../../generated/operations.js";
import type { Asked } from "../input/body.js";
import type { Target } from "../input/target.js";
import { RUN_OPTIONS, runOptionsOf } from "../record/command.js";
import type { RunOptions } from "../record/run.js";
import { isFormat, FORMATS, type Format } from "../report/formats.js";
import type { Origin } from "../types.js";
import { parseCommand } from "./parse.js";
import { hint, UsageError } from "./usage-error.js";

/** Where one output goes. */
export interface Output {
  format: Format;
  /** Undefined: to the standard output. */
  file?: string | undefined;
}

/** What `media-catalogue contract` was asked for. */
export interface ContractOptions {
  paths: string[];
  outputs: Output[];
  asked: Asked | undefined;
  origin: Origin | undefined;
  target: Omit<Target, "origin">;
  coverage: boolean;
  mutate: boolean;
  /** The deployment to call instead of reading; undefined where PATHs are judged. */
  live: RunOptions | undefined;
}

const OPTIONS = {
  ...RUN_OPTIONS,
  operation: { type: "string" },
  status: { type: "string" },
  host: { type: "string" },
  origin: { type: "string" },
  format: { type: "string", multiple: true },
  output: { type: "string" },
  coverage: { type: "boolean" },
  mutate: { type: "boolean" },
  live: { type: "boolean" },
} as const;

/**
 * Reads the arguments of `media-catalogue contract`.
 * @param own paths that are judged, and have to cover the description, where none is given
 * @throws {UsageError} they are wrong
 */
export function readContractOptions(args: string[], own: readonly string[]): ContractOptions {
  const { values, positionals } = parseCommand(args, OPTIONS, true);
  if (values.live && positionals.length > 0) {
    throw new UsageError("--live judges a deployment and no PATH; leave one of them out.");
  }
  if (!values.live && positionals.length === 0 && own.length === 0) {
    throw new UsageError(
      "No PATH: give recordings, folders or .har files to judge, or - for the standard input.",
    );
  }
  return {
    paths: positionals.length > 0 ? positionals : [...own],
    outputs: readOutputs(values.format ?? [], values.output),
    asked: readAsked(values.operation, values.status),
    origin: readOrigin(values.origin),
    target: readTarget(values["base-url"], values.host),
    coverage: values.coverage ?? (positionals.length === 0 && !values.live),
    mutate: values.mutate ?? false,
    live: values.live ? runOptionsOf(values) : undefined,
  };
}

function readOutputs(formats: readonly string[], output: string | undefined): Output[] {
  const outputs: Output[] = formats.map((each) => {
    const [format = "", ...rest] = each.split("=");
    if (!isFormat(format)) {
      throw new UsageError(
        `--format ${format} is none of ${FORMATS.join(", ")}.${hint(format, FORMATS)}`,
      );
    }
    if (rest.length > 0 && rest.join("=") === "")
      throw new UsageError(`--format ${each} has no file.`);
    return { format, ...(rest.length > 0 && { file: rest.join("=") }) };
  });
  if (outputs.every(({ file }) => file !== undefined)) outputs.push({ format: "pretty" });
  const [open, ...others] = outputs.filter(({ file }) => file === undefined);
  if (others.length > 0) {
    throw new UsageError(
      "Only one --format may go to the standard output; give the others FORMAT=FILE.",
    );
  }
  if (open && output !== undefined) open.file = output;
  return outputs;
}

function readAsked(operation: string | undefined, status: string | undefined): Asked | undefined {
  if (operation === undefined) {
    if (status !== undefined)
      throw new UsageError("--status says what a body was answered with; add --operation.");
    return undefined;
  }
  const row = Object.entries(operations).find(([id]) => id === operation)?.[1];
  if (!row) {
    const known = Object.keys(operations);
    throw new UsageError(
      `--operation ${operation} is not described.${hint(operation, known) || ` Known are ${known.join(", ")}.`}`,
    );
  }
  if (status !== undefined && !/^[1-5]\d\d$/.test(status)) {
    throw new UsageError(`--status ${status} is no HTTP status; give one such as 200.`);
  }
  return { operation, method: row[0], path: row[1], status: Number(status ?? 200) };
}

function readOrigin(origin: string | undefined): "repository" | "foreign" | undefined {
  if (origin === undefined || origin === "repository" || origin === "foreign") return origin;
  throw new UsageError(`--origin ${origin} is neither repository nor foreign.`);
}

function readTarget(baseUrl: string | undefined, host: string | undefined): Omit<Target, "origin"> {
  if (baseUrl === undefined) return { host, prefix: "" };
  if (host !== undefined) throw new UsageError("--host is part of --base-url; give one of them.");
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    // The value is not repeated: it may hold credentials.
    throw new UsageError("--base-url is no absolute http(s) URL.");
  }
  const url = new URL(baseUrl);
  return { host: url.host, prefix: url.pathname.replace(/\/+$/, "") };
}
