export type { ExampleExchange } from "./example-exchange.js";
export { createSandbox, type Sandbox } from "./sandbox.js";
