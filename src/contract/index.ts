export { description } from "../generated/description.js";
export { checkExchange } from "./engine/check.js";
export { groupFindings } from "./engine/finding.js";
export { isMatched, operationOf } from "./engine/route.js";
export { rules, severityOf, type Rule, type RuleId, type Undeclared } from "./engine/rules.js";
export type * from "./engine/types.js";
