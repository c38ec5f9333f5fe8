import type { Report } from "./report.js";

/** The report as JSON, as schemas/contract-report.schema.json describes it. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
