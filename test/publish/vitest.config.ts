import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/publish/**/*.test.ts"],
    // Packing, publishing and installing start npm a score of times.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each test goes on from where the one before it has come to.
    bail: 1,
    fileParallelism: false,
  },
});
