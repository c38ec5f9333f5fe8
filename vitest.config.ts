import { defineConfig } from "vitest/config";

/** Tests that check large bodies, or start a browser, npm, Redocly, the compiler, another process of Node, or a script. */
const slow = ["test/**/*.slow.test.ts"];
/** Tests that build apps with frameworks, start other runtimes, and install packages from the npm registry. */
const nightly = ["test/**/*.nightly.test.ts"];

/**
 * Returns timeouts that stop a hanging test, but are long enough for a busy machine. Tests of whole releases set twice
 * the limit of slow tests.
 */
const limit = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

export default defineConfig({
  test: {
    // By default, Vitest leaves one core idle, which is half of a machine with two cores.
    maxWorkers: "100%",
    // Loading every module only once, instead of once per test file, takes a quarter less time.
    isolate: false,
    setupFiles: ["test/support/setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          ...limit(120_000),
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...slow, ...nightly],
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
      {
        extends: true,
        test: {
          name: "nightly",
          ...limit(600_000),
          include: nightly,
          exclude: ["**/node_modules/**"],
          globalSetup: ["test/support/chromium.ts", "test/support/package.ts"],
        },
      },
    ],
  },
});
