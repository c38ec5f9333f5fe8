import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs the fastest test files first, because the first test that fails ends the run of a mutant. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durationOf = ({ project, moduleId }: TestSpecification) => {
      const key = `${project.name}:${relative(this.ctx.config.root, moduleId)}`;
      return this.ctx.cache.getFileTestResults(key)?.duration ?? 0;
    };
    return files.toSorted((a, b) => durationOf(a) - durationOf(b));
  }
}

// In a zone other than UTC, a date that is taken as local has the wrong time. Stryker's workers inherit the zone.
process.env["TZ"] = "America/New_York";

/** Runs the fast tests in one folder, which Stryker passes as `dir`. */
export default defineConfig({
  test: {
    // A test that hangs because of a mutant fails after this time.
    testTimeout: 20_000,
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
  },
});
