export type { SandboxExchange } from "./exchange.js";
export { createSandbox, type Sandbox } from "./sandbox.js";
