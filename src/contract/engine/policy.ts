import type { Finding, Origin, Severity, Verdict } from "./types.js";

/**
 * What is made of each verdict, by where an exchange comes from. The project's own recordings prove the description, so
 * they may hold nothing that it does not have; what others send is only told. An app is never broken by a new field.
 */
export const policy: Readonly<Record<Verdict, Readonly<Record<Origin, Severity>>>> = {
  violation: { repository: "fail", foreign: "fail", live: "fail", runtime: "fail" },
  undeclared: { repository: "fail", foreign: "warn", live: "warn", runtime: "ignore" },
  "gap-observed": { repository: "note", foreign: "note", live: "note", runtime: "ignore" },
  "not-exercised": { repository: "fail", foreign: "ignore", live: "ignore", runtime: "ignore" },
};

/** What the policy makes of a finding. */
export function severityOf({ verdict }: Pick<Finding, "verdict">, origin: Origin): Severity {
  return policy[verdict][origin];
}
