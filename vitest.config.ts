import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They have commands of their own: test:consumers and test:publish.
    exclude: ["**/node_modules/**", "test/{consumers,publish}/**"],
    // Some tests run the tools of the project, which take seconds to start on a busy machine.
    // Not one less than there are, which is one of two.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
