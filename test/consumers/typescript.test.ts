import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeInstalled } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { tools, useApp } from "./app.js";

describeInstalled("test/consumers", "an app in TypeScript", () => {
  const app = useApp("typescript");

  /** Checks everything, including the declarations of the package and of openapi-fetch. */
  const STRICT = {
    ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
    ...{ noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, resolveJsonModule: true },
    ...{ allowJs: true, checkJs: true },
    target: "es2022",
  };

  /** The platform types of each kind of app: Node apps have no DOM types, and browser apps have no Node types. */
  const PLATFORMS: Record<string, object> = {
    nodenext: {
      ...{ module: "nodenext", lib: ["es2022"], types: ["node"] },
      typeRoots: [tools("@types")],
    },
    bundler: { module: "esnext", lib: ["es2022", "dom", "dom.iterable"], types: [] },
  };

  /** Compiles files of the app with one version of TypeScript. @returns the diagnostics and the output folder */
  async function compile(version: string, moduleResolution: string, files: string[]) {
    const name = `${version}-${moduleResolution}-${files.length}`;
    const compilerOptions = {
      ...{ ...STRICT, ...PLATFORMS[moduleResolution], moduleResolution },
      ...{ rootDir: ".", outDir: name },
    };
    const config = JSON.stringify({ compilerOptions, files });
    await writeFile(join(app.folder, `tsconfig.${name}.json`), config);
    const tsc = tools(`typescript-${version}/bin/tsc`);
    const { code, stdout } = await app.run(process.execPath, tsc, "-p", `tsconfig.${name}.json`);
    return { code, problems: stdout, folder: name };
  }

  const node = (file: string) => app.run(process.execPath, file);

  describe.each(["5.4", "5.9", "7.0"])("TypeScript %s", (version) => {
    test("compiles an app with ES modules and CommonJS under nodenext, and the app runs", async () => {
      // Every version supports the types and import() in CommonJS files; require() needs 5.8.
      const required = version === "5.4" ? [] : ["require.cts"];
      const { code, problems, folder } = await compile(version, "nodenext", [
        ...["app.ts", "import.cts", "tour.mjs"],
        ...required,
      ]);
      expect({ code, problems }).toEqual({ code: 0, problems: "" });

      const { stdout, stderr } = await node(`${folder}/app.js`);
      expect(stdout, stderr).not.toBe("");
      const { providers, people, error } = expectedOutcome();
      expect(JSON.parse(stdout)).toEqual({
        ...{ providers, people, status: (error as unknown[])[0] },
        ...{ title: "string", failed: false, lazily: ["function", "function"] },
      });
      expect((await node(`${folder}/import.cjs`)).stdout).toBe("106646\n");
      for (const file of required) {
        const ran = await node(`${folder}/${file.replace(".cts", ".cjs")}`);
        expect(ran.stdout).toBe("106646 undefined\n");
      }
    });

    test("compiles the same app for a bundler", async () => {
      const { code, problems } = await compile(version, "bundler", ["app.ts"]);
      expect({ code, problems }).toEqual({ code: 0, problems: "" });
    });
  });

  test("TypeScript 5.4 refuses require() of an ES module", async () => {
    const { code, problems } = await compile("5.4", "nodenext", ["require.cts"]);
    expect(code).not.toBe(0);
    expect([...new Set(problems.match(/TS\d+/g))]).toEqual(["TS1471"]);
  });
});
