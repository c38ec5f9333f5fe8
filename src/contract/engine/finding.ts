import { outerOf } from "./pointer.js";
import { rules, type RuleId } from "./rules.js";
import type { Description, Exchange, Finding, Position } from "./types.js";

/** One fault in one exchange, before it becomes a finding. */
export interface Fault {
  rule: RuleId;
  pointer: string;
  /** Identical for the same fault elsewhere: the pointer without indexes, or the header name. */
  shape: string;
  /** Its place in the recording, if it is not `pointer`: `status`, `header: etag`, `path`, or an enclosing value. */
  place?: string;
  /** Pointer into the description. */
  spec: string;
  expected: string;
  actual: string;
  declared?: string[];
  didYouMean?: string | undefined;
  gap?: string | undefined;
}

/** Adds positions, verdict and fingerprint to a fault. */
export function findingOf(
  fault: Fault,
  exchange: Exchange,
  description: Description,
  operation: string,
): Finding {
  const { rule, pointer, place, shape, spec, expected, actual, didYouMean, gap } = fault;
  const { verdict, fix } = rules[rule];
  const { status } = exchange.response;
  const position = exchange.locate(place ?? pointer);
  return {
    rule,
    verdict,
    operation,
    status,
    pointer,
    recording: [{ ...position, pointer, exchange: exchange.name, status, actual }],
    spec: { ...positionOf(description, spec), pointer: spec },
    expected,
    actual,
    declared: fault.declared ?? [],
    ...(didYouMean !== undefined && { didYouMean }),
    fix,
    ...(gap !== undefined && { gap }),
    fingerprint: hash([rule, operation, shape, spec, gap ?? ""].join("\n")),
  };
}

/** Merges findings with the same fingerprint, also across exchanges; the first one keeps its place. */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    const group = groups.get(finding.fingerprint);
    if (!group) groups.set(finding.fingerprint, { ...finding, recording: [...finding.recording] });
    else for (const place of finding.recording) group.recording.push(place);
  }
  return [...groups.values()];
}

/** The position of a pointer in the YAML, or of the closest enclosing value. */
function positionOf({ file, positions }: Description, pointer: string): Position {
  const here = outerOf(pointer, { has: (each) => Object.hasOwn(positions, each) });
  const [line, column] = positions[here ?? ""] ?? [1, 1];
  return { file, line, column };
}

/** 64-bit FNV-1a as 16 hexadecimal digits. It is the same on every platform, and reveals no secret. */
function hash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of new TextEncoder().encode(text)) {
    // Multiplies by 0x100000001b3 in two halves: BigInt dominated the run time of long lists.
    const product = ((low ^ byte) >>> 0) * 0x1b3;
    high = (high * 0x1b3 + ((low ^ byte) << 8) + Math.floor(product / 2 ** 32)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}
