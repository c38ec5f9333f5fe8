import { statSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Outside UTC, tests can detect code that parses a UTC date as local time. Stryker's workers inherit the time zone.
process.env["TZ"] = "America/New_York";

/** Runs small files first: the tests of a mutant end at the first failure, and the tests in large files take longest. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  }
}

/**
 * Runs the fast tests of the client, the interceptors, the picks, and the proxy for Stryker, except for random tests,
 * which might find a mutant only once, tests that measure time, and MSW, which takes a second to start.
 */
export default defineConfig({
  test: {
    // A mutant can make a test hang. The test then fails after this time, before Stryker's own timeout, after which
    // Stryker has to start a new process.
    testTimeout: 5_000,
    isolate: false,
    sequence: { sequencer: SmallestFirst },
    include: ["test/{client,interceptors,pick,proxy}/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "**/*.slow.test.ts",
      "**/properties/**",
      "**/{time,msw}.test.ts",
    ],
  },
});
