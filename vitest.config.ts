import { defineConfig } from "vitest/config";

/** Tests that start a browser, npm, Redocly, the compiler, another runtime, or a script of the project. */
const slow = ["test/**/*.slow.test.ts"];

export default defineConfig({
  test: {
    // Vitest would leave one core idle, which is half of two.
    maxWorkers: "100%",
    // A busy machine makes a test slow, never red: the limit only ends a test that hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...slow],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: slow,
          exclude: ["**/node_modules/**"],
          globalSetup: ["test/support/chromium.ts", "test/support/package.ts"],
        },
      },
    ],
  },
});
