import { defineConfig } from "vitest/config";

// Outside UTC, tests can detect code that parses a UTC date as local time. Stryker's workers inherit the time zone.
process.env["TZ"] = "America/New_York";

/**
 * Runs the fast tests of the client, the interceptors, and the picks for Stryker, except for random tests, which might find a mutant only
 * once, and tests that measure time.
 */
export default defineConfig({
  test: {
    // A mutant can make a test hang. The test then fails after this time.
    testTimeout: 20_000,
    isolate: false,
    include: ["test/{client,interceptors,pick}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts", "**/properties/**", "**/time.test.ts"],
  },
});
