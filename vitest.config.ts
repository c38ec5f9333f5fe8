import { defineConfig } from "vitest/config";

/** Tests that start a browser, npm, Redocly, the compiler, another runtime, or a script of the project. */
const slow = ["test/**/*.slow.test.ts"];

/** Ends a test that hangs, but not one that a busy machine slows down. Tests of whole releases have twice the limit. */
const limit = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

export default defineConfig({
  test: {
    // Vitest would leave one core idle, which is half of two.
    maxWorkers: "100%",
    // Loading every module once instead of once per file takes a quarter off the run.
    isolate: false,
    setupFiles: ["test/support/setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          ...limit(120_000),
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...slow],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          ...limit(300_000),
          include: slow,
          exclude: ["**/node_modules/**"],
          globalSetup: ["test/support/chromium.ts", "test/support/package.ts"],
        },
      },
    ],
  },
});
