import { runTool } from "./command.js";
import { ReleaseError } from "./step.js";

/** What a change asks of the version. */
export type Impact = "patch" | "minor" | "major";

/** A change of the description, as `redocly diff` sees it. */
export interface SpecChange {
  /** The kind of node, such as `Schema`. */
  type: string;
  kind: "added" | "removed" | "modified";
  /** Pointer of the node, by way of the first operation that uses it. */
  path: string;
  /** What was modified of the node; `key` is its name. */
  property?: string;
  from: unknown;
  to: unknown;
  /** Where it stands; in the released description where it was removed. */
  place: { file: string; line: number; pointer: string };
  /** The tool's own rating, and its reasons: none where none of its rules fits. */
  impact: Impact;
  verdicts: string[];
}

/** The members of the tool's JSON report that are used. */
interface Report {
  changes: (Pick<SpecChange, "kind" | "path" | "property" | "impact"> & {
    typeName: string;
    verdicts: { message: string }[];
    base?: Side;
    revision?: Side;
  })[];
}

interface Side {
  file: string;
  line: number;
  pointer: string;
  value?: unknown;
}

/**
 * Compares two descriptions with `redocly diff`, which judges each change by the direction in which the data go.
 * @param base path relative to the project, and so is `revision`
 * @throws {ReleaseError} it cannot compare them
 */
export async function diffDescriptions(
  project: string,
  base: string,
  revision: string,
): Promise<SpecChange[]> {
  const { code, stdout, stderr } = await runTool(
    project,
    "@redocly/cli/bin/cli.js",
    ...["diff", base, revision, "--config", "scripts/release/diff.redocly.yaml"],
    ...["--format", "json", "--fail-on", "none"],
  );
  if (code !== 0) {
    throw new ReleaseError(`redocly diff failed; run npm run lint\n${stderr.trim()}`);
  }
  return (JSON.parse(stdout) as Report).changes.map(
    ({ typeName, kind, path, property, impact, verdicts, base: from, revision: to }) => ({
      type: typeName,
      kind,
      path,
      ...(property !== undefined && { property }),
      from: from?.value,
      to: to?.value,
      place: placeOf((to ?? from)!),
      impact,
      verdicts: verdicts.map(({ message }) => message),
    }),
  );
}

function placeOf({ file, line, pointer }: Side): SpecChange["place"] {
  return { file, line, pointer };
}
