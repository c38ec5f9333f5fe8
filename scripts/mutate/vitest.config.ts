import { defineConfig } from "vitest/config";

/** Runs the fast tests in one folder, which Stryker passes as `dir`. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    isolate: false,
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
  },
});
