import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs the fastest test files first, because Stryker stops testing a mutant when a test fails. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durationOf = ({ project, moduleId }: TestSpecification) => {
      const key = `${project.name}:${relative(this.ctx.config.root, moduleId)}`;
      return this.ctx.cache.getFileTestResults(key)?.duration ?? 0;
    };
    return files.toSorted((a, b) => durationOf(a) - durationOf(b));
  }
}

// Outside UTC, tests can detect code that parses a UTC date as local time. Stryker's workers inherit the time zone.
process.env["TZ"] = "America/New_York";

/** Runs the fast tests in one folder, which Stryker passes as `dir`. */
export default defineConfig({
  test: {
    // A mutant can make a test hang. The test then fails after this time.
    testTimeout: 20_000,
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
  },
});
