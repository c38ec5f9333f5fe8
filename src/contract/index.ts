export { coverage, type Coverage, type Dimension, type Judged } from "./coverage.js";
export { description } from "../generated/description.js";
export { groupFindings } from "./fault.js";
export { judge } from "./judge.js";
export {
  mutants,
  mutationScore,
  type Mutant,
  type MutationScore,
  type Survivor,
} from "./mutate.js";
export { policy, severityOf } from "./policy.js";
export { operationOf } from "./route.js";
export { rules, type Rule, type RuleId } from "./rules.js";
export type * from "./types.js";
