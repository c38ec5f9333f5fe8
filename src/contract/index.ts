export { coverage, type Coverage, type Dimension, type Judged } from "./coverage.js";
export { description } from "../generated/description.js";
export { groupFindings } from "./engine/fault.js";
export { judge } from "./engine/judge.js";
export {
  mutants,
  mutationScore,
  type Mutant,
  type MutationScore,
  type Survivor,
} from "./mutate.js";
export { policy, severityOf } from "./engine/policy.js";
export { operationOf } from "./engine/route.js";
export { rules, type Rule, type RuleId } from "./engine/rules.js";
export type * from "./engine/types.js";
