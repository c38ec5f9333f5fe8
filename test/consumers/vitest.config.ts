import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: ["setup.ts"],
    // Each installs a package or starts compilers and bundlers.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
