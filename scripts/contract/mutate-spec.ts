import { readRecordings } from "./recordings.js";
import { specMutationScore } from "./spec-mutants.js";

/**
 * `npm run contract -- --mutate-spec`: prints how many weakenings of the description its recordings notice, and each
 * that they do not.
 * @returns the exit code: 1 where one without a reason goes unnoticed, or a reason is needed no longer
 */
export async function mutateSpec(project: string): Promise<number> {
  const score = await specMutationScore(project, await readRecordings(project));
  const { total, noticed, by, waived, survivors, stale } = score;
  for (const { operator, spec, reason } of waived)
    console.log(`waived: ${operator} ${spec}: ${reason}`);
  for (const { operator, spec } of survivors) console.log(`not noticed: ${operator} ${spec}`);
  for (const { operator, spec } of stale) {
    console.log(`the waiver of ${operator} at ${spec} is stale, remove it`);
  }
  const ways = `${by.recording} by a recording, ${by.mutant} by a planted fault, ${by.coverage} by coverage`;
  console.log(
    `${noticed} of ${total} weakenings noticed (${ways}), ${waived.length} waived, ${survivors.length} not noticed`,
  );
  return survivors.length + stale.length > 0 ? 1 : 0;
}
