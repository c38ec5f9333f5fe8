export { coverage, type Coverage, type Dimension, type Judged } from "./coverage.js";
export { description } from "../generated/description.js";
export { groupFindings } from "./engine/fault.js";
export { checkExchange } from "./engine/check.js";
export {
  mutants,
  mutationScore,
  type Mutant,
  type MutationScore,
  type Survivor,
} from "./mutate.js";
export { isMatched, operationOf } from "./engine/route.js";
export { rules, severityOf, type Rule, type RuleId, type Undeclared } from "./engine/rules.js";
export type * from "./engine/types.js";
