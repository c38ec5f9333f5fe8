export type { ExampleExchange } from "../types/example-exchange.js";
export type { Override, OverrideBody, OverrideItem } from "./override.js";
export { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.js";
