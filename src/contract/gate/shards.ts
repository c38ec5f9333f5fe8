import { listReportErrors } from "../../generated/file-validators.js";
import type { Validator } from "../../openapi/description.js";
import { groupFindings } from "../engine/create-finding.js";
import { hash } from "../engine/hash.js";
import { severityOf } from "../engine/rules.js";
import { readJsonFile } from "../input/read-json-file.js";
import { countReason, type ContractReport, type Shard } from "../report/create-report.js";
import { check } from "../shared/command-error.js";
import type { RunResult } from "./check-all.js";
import type { Config } from "./config.js";

/**
 * Selects the files of a shard. A file stays in its shard when other files are added or removed.
 * @param displayPath formats a path in the same way on every machine
 */
export function selectShard(
  files: Iterable<string>,
  { index, count }: Pick<Shard, "index" | "count">,
  displayPath: (path: string) => string,
): string[] {
  const shardOf = (file: string) => (parseInt(hash(displayPath(file)).slice(-8), 16) % count) + 1;
  return [...files].filter((file) => shardOf(file) === index);
}

/**
 * Reads the JSON reports of all shards. Returns the results of one run over all files.
 * @param nameOf formats the path of a report for messages
 * @throws {CommandError} if a report cannot be read, or if the reports do not come from all shards of the same files
 */
export async function mergeShards(
  paths: readonly string[],
  nameOf: (path: string) => string,
  { undeclared }: Pick<Config, "undeclared">,
): Promise<RunResult> {
  const reports: ContractReport[] = [];
  for (const path of paths) {
    const { value } = await readJsonFile(path, nameOf(path), listReportErrors as Validator);
    reports.push(value as unknown as ContractReport);
  }
  const { description, files } = checkShards(reports, paths.map(nameOf));
  const order = new Map(files.map((file, index) => [file, index]));
  // The name of an exchange in a HAR is the file with the number of the entry.
  const orderOf = (name: string) => order.get(name) ?? order.get(name.replace(/#\d+$/, "")) ?? -1;
  const exchanges = reports
    .flatMap((report) => report.exchanges)
    .map(({ outcome: _outcome, ...exchange }) => exchange)
    .toSorted((a, b) => orderOf(a.name) - orderOf(b.name));
  const ranks = new Map(exchanges.map(({ name }, index) => [name, index]));
  const rankOf = ({ exchange }: { exchange: string }) => ranks.get(exchange) ?? -1;
  // One run lists the findings in the order in which they first occur.
  const found = reports
    .flatMap((report) => report.findings)
    .map((finding) => {
      const rank = rankOf(finding.occurrences[0]!);
      return { finding, rank, at: exchanges[rank]!.findings.indexOf(finding.fingerprint) };
    })
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at);
  const findings = groupFindings(found.map(({ finding }) => finding)).map(
    ({ accepted: _accepted, ...finding }) => ({
      ...finding,
      severity: severityOf(finding.category, undeclared),
      occurrences: finding.occurrences.toSorted((a, b) => rankOf(a) - rankOf(b)),
    }),
  );
  const skipped: RunResult["skipped"] = new Map();
  for (const { reason, count } of reports.flatMap((report) => report.skipped))
    countReason(skipped, reason, count);
  const problems = reports
    .flatMap((report) => report.problems.filter(({ kind }) => kind === "unreadable"))
    .toSorted((a, b) => orderOf(a.file ?? "") - orderOf(b.file ?? ""));
  return { description, exchanges, findings, skipped, problems };
}

/** Checks that the reports come from all shards of the same files. */
function checkShards(reports: readonly ContractReport[], names: readonly string[]) {
  const shards = reports.map(({ shard, description }, index) => {
    const advice = "merge the reports that --shard and --format json write";
    check(shard, `${names[index]} is not the report of a shard; ${advice}`);
    return { ...shard, description };
  });
  const [{ count, files, description }] = shards as [(typeof shards)[0]];
  const same = JSON.stringify([count, files, description]);
  for (const [index, each] of shards.entries()) {
    const isSame = JSON.stringify([each.count, each.files, each.description]) === same;
    const others = "check the same files against the same description in every job";
    check(isSame, `${names[index]} is not about the same files as ${names[0]}; ${others}`);
    const first = shards.findIndex((other) => other.index === each.index);
    check(first === index, `${names[index]} repeats shard ${each.index} of ${names[first]}`);
  }
  for (let index = 1; index <= count; index += 1)
    check(
      shards.some((each) => each.index === index),
      `the report of shard ${index}/${count} is missing; --merge needs the reports of all shards`,
    );
  return { files, description };
}
