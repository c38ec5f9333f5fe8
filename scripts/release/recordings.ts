import { join } from "node:path";
import { checkExchange } from "../../src/contract/engine/check.js";
import type { Finding } from "../../src/contract/engine/types.js";
import { readRecordings } from "../contract/recordings.js";
import { compileDescription } from "../generate/contract/compile.js";
import { assertReadable, description as file } from "./readable.js";
import { readReleased } from "./released.js";
import { ReleaseError, type Context, type Outcome } from "./step.js";
import { riseOf } from "./version.js";

/**
 * What was recorded when the last version was released still holds: a tightening that old answers contradict is wrong,
 * even where the recordings of today have been changed along with the description.
 */
export async function recordings({ project, version }: Context): Promise<Outcome> {
  const released = await readReleased(project);
  await assertReadable(project, file);
  const description = await compileDescription(join(project, file));
  const exchanges = await readRecordings(project, released.recordings).catch(
    ({ message }: Error) => {
      throw new ReleaseError(message);
    },
  );
  if (exchanges.length === 0) {
    throw new ReleaseError(`${released.recordings} is empty; git restore it`);
  }
  // What is described no more is rated by the diff; here counts what is contradicted.
  const contradicted = exchanges
    .flatMap((exchange) => checkExchange(exchange, description))
    .filter(({ verdict }) => verdict === "violation")
    .map(line);
  const summary = `${exchanges.length} recordings of ${released.version} judged, ${contradicted.length} contradictions`;
  // A major version may describe another service; its own recordings are judged by the contract gate.
  const isMajor = riseOf(released.version, version) === "major";
  return { summary, problems: isMajor ? [] : contradicted };
}

function line({ recording: [place], rule, pointer, operation, expected, actual, spec }: Finding) {
  const at = place ? `${place.file}:${place.line} ` : "";
  return (
    `${at}${operation} ${pointer || "(no body)"}: expected ${expected}, got ${actual} (${rule}); ` +
    `correct ${spec.pointer} in openapi/catalogue.yaml, or release a major version`
  );
}
