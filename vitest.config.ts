import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They have commands of their own: test:consumers and test:publish.
    exclude: ["**/node_modules/**", "test/{consumers,publish}/**"],
    // All cores: the default leaves one out, which is half of two.
    maxWorkers: "100%",
    // Some tests run the tools of the project, which take seconds to start on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
