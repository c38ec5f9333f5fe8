/** The exports that `media-catalogue/contract` and `media-catalogue/full/contract` have in common. */
export { checkExchange } from "./engine/check.js";
export { groupFindings } from "./engine/create-finding.js";
export {
  rules,
  severityOf,
  type Rule,
  type RuleId,
  type Severity,
  type UndeclaredSeverity,
  type Category,
} from "./engine/rules.js";
export type * from "../openapi/description.js";
export type * from "./engine/types.js";
export type * from "../types/exchange.js";
