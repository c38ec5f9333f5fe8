import { join } from "node:path";

// The app uses the packages in test/frameworks.
const root = join(import.meta.dirname, "../..");
export default { turbopack: { root }, outputFileTracingRoot: root };
