import { check } from "../contract/shared/command-error.js";
import { createProgress } from "./progress.js";
import type { DeploymentOptions } from "../contract/record/call-plan.js";

/** Options that `record` and `contract --live` share. */
export const RUN_OPTIONS = {
  "base-url": { type: "string" },
  plan: { type: "string" },
  delay: { type: "string" },
  timeout: { type: "string" },
  "allow-writes": { type: "boolean" },
} as const;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The parsed values of {@link RUN_OPTIONS}. */
interface RunValues {
  "base-url"?: string | undefined;
  plan?: string | undefined;
  delay?: string | undefined;
  timeout?: string | undefined;
  "allow-writes"?: boolean | undefined;
}

/**
 * Reads the options that `record` and `contract --live` share. The token or API key comes from the environment, because
 * other processes can read command-line arguments.
 * @throws {CommandError} if the base URL is missing, or the delay or the timeout is invalid
 */
export function readRunOptions(values: RunValues): DeploymentOptions {
  const { "base-url": baseUrl, plan, delay = "250", timeout = "30" } = values;
  const { CATALOGUE_TOKEN, CATALOGUE_API_KEY } = process.env;
  const token = CATALOGUE_TOKEN || CATALOGUE_API_KEY || "";
  check(baseUrl, "--base-url is missing; pass the absolute URL of a deployment");
  check(
    /^\d{1,6}$/.test(delay),
    `--delay must be a whole number of milliseconds below 1,000,000, not "${delay}"`,
  );
  check(
    /^[1-9]\d{0,3}$/.test(timeout),
    `--timeout must be a whole number of seconds from 1 to 9,999, not "${timeout}"`,
  );
  check(
    !CATALOGUE_TOKEN || !CATALOGUE_API_KEY,
    "set only one of CATALOGUE_TOKEN and CATALOGUE_API_KEY",
  );
  const stop = new AbortController();
  const onSignal = () => {
    // A second signal ends the process, even if the command does not react to the first one.
    for (const signal of SIGNALS) process.off(signal, onSignal);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    baseUrl,
    token,
    isApiKey: Boolean(CATALOGUE_API_KEY),
    plan,
    delay: Number(delay),
    timeout: 1000 * Number(timeout),
    allowWrites: values["allow-writes"],
    log: printLine,
    showProgress: createProgress(),
    signal: stop.signal,
  };
}

/** Prints a line to standard error, because standard output is for results only. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
