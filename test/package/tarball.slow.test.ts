import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/generated/full-operations.js";
import manifest from "../../package.json" with { type: "json" };
import buildConfig from "../../tsconfig.build.json" with { type: "json" };
import { linksOf } from "./page.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { execute } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { TOKEN } from "../support/server.js";
import { describeWithTools, toolFile } from "../tools/tools.js";

/** The maximum unpacked size, which grows with the number of operations, and the maximum number of files. */
const LIMITS = { kB: 1320 + 15 * Object.keys(operations).length, files: 205 };

/** Entry points that are text files, not modules. */
const TEXTS = Object.keys(manifest.exports).filter((name) =>
  /\.(?:openapi\.json|yaml|txt)$/.test(name),
);

const { tarball, app } = packed();
/** The text of each file in the package, by path. */
const texts = new Map<string, string>();

beforeAll(async () => {
  const installed = join(app, "node_modules/media-catalogue");
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    texts.set(file.slice(installed.length + 1), await readFile(file, "utf8"));
  }
});

describe("npm run build", () => {
  test("npm run build rejects source that does not compile, and deletes the previous build", async () => {
    const project = await scratchFolder();
    const files = ["package.json", "tsconfig.json", "tsconfig.build.json", "scripts"];
    for (const name of files) await cp(join(root, name), join(project, name), { recursive: true });
    await symlink(join(root, "node_modules"), join(project, "node_modules"), "junction");
    for (const file of [...buildConfig.files, "dist/index.js"]) {
      await mkdir(dirname(join(project, file)), { recursive: true });
      await writeFile(join(project, file), "export {};\n");
    }
    await writeFile(join(project, "src/index.ts"), "export const wrong: string = 1;\n");
    const built = await execute("npm", ["run", "build"], { cwd: project });
    expect(built.code).toBe(1);
    expect(built.stdout).toContain("src/index.ts(1,14): error TS2322");
    expect(built.stderr).toContain("src does not compile");
    expect(await readdir(join(project, "dist"))).toEqual([]);
  });
});

describe("the package", () => {
  test("the package stays within its size limits", () => {
    const bytes = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes / 1000, "kB unpacked").toBeLessThanOrEqual(LIMITS.kB);
    expect(texts.size, "files").toBeLessThanOrEqual(LIMITS.files);
  });

  test("the package contains modules, declarations, llms.txt, licenses, and the files that package.json lists", () => {
    const named = JSON.stringify([manifest.exports, manifest.bin]).match(/(?<=:"\.\/)\w+\/[^"]+/g)!;
    expect(named.filter((name) => !texts.has(name))).toEqual([]);
    const listed = ["LICENSE", "README.md", "package.json", ...manifest.files];
    const others = [...texts.keys()].filter(
      (file) =>
        !/^dist\/.+(?:\.js|\.d\.ts|\.LICENSE|\.openapi\.json)$/.test(file) &&
        !listed.some((name) => name !== "dist" && `${file}/`.startsWith(`${name}/`)),
    );
    expect(others).toEqual([]);
    expect([...texts.keys()].filter((file) => file.startsWith("dist/docs"))).toEqual([]);
    expect(JSON.parse(texts.get("package.json")!)).toEqual(manifest);
  });

  // Symptom: eslint-plugin-import, and Metro before React Native 0.79, did not find `media-catalogue/full`.
  test("tools that ignore `exports` find every entry point and its types", () => {
    const { resolve } = createRequire(import.meta.url);
    const installed = join(app, "node_modules/media-catalogue");
    for (const [name, target] of Object.entries(manifest.exports)) {
      if (typeof target === "string") continue;
      // Like these tools, Node ignores `exports` if the path is absolute.
      expect(resolve(join(installed, name))).toBe(join(installed, target.default));
      const { types } = JSON.parse(texts.get(join(name, "package.json"))!) as { types: string };
      expect(join(name, types)).toBe(join(target.types));
    }
  });

  test("the package has one copy of each error class, so every error is an instance of the exported class", () => {
    const scripts = [...texts].filter(([file]) => file.endsWith(".js"));
    for (const name of ["ApiError", "InvalidJsonError", "ConnectionError", "TimeoutError"]) {
      const declared = scripts.filter(([, text]) =>
        new RegExp(`\\b${name}\\s*=\\s*class\\b`).test(text),
      );
      expect(declared, name).toHaveLength(1);
    }
  });

  // Importing seven small files took 9 ms longer than importing one file.
  test.each(["dist/index.js", "dist/full/index.js"])("%s imports one other file", (file) => {
    const specifiers = (text: string) =>
      [...text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";/gm)].map(([, name]) => name!);
    const imported = new Set(specifiers(texts.get(file)!));
    expect([...imported]).toEqual([expect.stringMatching(/\/chunks\/client\.js$/)]);
    const client = texts.get(posix.join(posix.dirname(file), [...imported][0]!))!;
    expect(specifiers(client)).toEqual(["openapi-fetch", "openapi-fetch"]);
  });

  test("the package imports only Node modules and its dependencies, and includes the license of inlined code", () => {
    const known = new RegExp(`^(\\.|node:|(${Object.keys(manifest.dependencies).join("|")})(/|$))`);
    const scripts = [...texts].filter(([file]) => file.endsWith(".js"));
    const foreign = scripts.flatMap(([file, text]) =>
      [...text.matchAll(/(?:^|;)(?:import|export)\b[^"'`;]*?\bfrom ?"([^"]+)"/gm)]
        .filter(([, specifier]) => !known.test(specifier!))
        .map(([, specifier]) => `${file} imports ${specifier}`),
    );
    expect(foreign).toEqual([]);
    expect(texts.get("dist/jsonc-parser.LICENSE")).toMatch(/Copyright/);
  });

  test("the guides and llms.txt have no dead links", () => {
    const dead = [...texts].flatMap(([file, text]) =>
      /\.(?:md|txt)$/.test(file) ? linksOf(text).filter((link) => isDead(file, link)) : [],
    );
    expect(dead).toEqual([]);
    expect(isDead("docs/design.md", "../src/client.ts#L1")).toBe(true);
  });

  test("llms.txt lists every method in the line of its group", () => {
    const text = texts.get("llms.txt")!;
    for (const id of Object.keys(operations)) {
      const [group, method] = id.split(".");
      expect(text).toMatch(new RegExp(`^- ${group}: .*\\b${method}\\b`, "m"));
    }
  });

  test("the package contains no local path, registry URL, token, or source map", () => {
    expect([...texts].flatMap(([file, text]) => leaksOf(text).map((leak) => [file, leak]))).toEqual(
      [],
    );
    const leaks = [`${root}src`, join(homedir(), ".npmrc"), "https://registry.example.org/a"];
    for (const text of [...leaks, `Bearer ${TOKEN}`]) expect(leaksOf(text)).toHaveLength(1);
  });
});

describe("package linters", () => {
  test("publint finds no problem in strict mode", async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const content = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages } = await publint({ strict: true, pack: { tarball: content } });
    expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual(
      [],
    );
  });
});

describeWithTools("attw", () => {
  test("attw finds types for every entry point", async () => {
    const { code, stdout, stderr } = await execute(process.execPath, [
      toolFile("@arethetypeswrong/cli/dist/index.js"),
      tarball,
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      ...TEXTS,
      "--format",
      "ascii",
      "--no-color",
    ]);
    expect(code, stdout + stderr).toBe(0);
    const entries = Object.keys(manifest.exports).filter((name) => !TEXTS.includes(name));
    for (const name of entries) expect(stdout).toContain(`"${join("media-catalogue", name)}"`);
  });
});

function isDead(file: string, link: string): boolean {
  if (/^(?:https?:|mailto:|#)/.test(link)) return false;
  const target = posix.join(posix.dirname(file), link.replace(/#.*/, ""));
  // Only contributors need this page, so only the repository contains it. npm's website links to the repository.
  return target !== "CONTRIBUTING.md" && !texts.has(target);
}

/** Finds local paths, registry URLs, tokens, and source maps. @returns at most one match for each pattern */
function leaksOf(text: string): string[] {
  const folders = [root, homedir(), tmpdir()].map((folder) => literal(folder.replace(/\/$/, "")));
  const patterns = [
    `(?:${folders.join("|")}|/home|/Users)/|\\b[A-Z]:\\\\\\w`,
    "\\bregistry\\.[\\w-]+\\.\\w+|\\bverdaccio\\b|\\b_authToken\\b",
    `${literal(TOKEN)}|\\bnpm_\\w{36}|\\bgh[oprsu]_\\w{36}|\\bgithub_pat_\\w{22}`,
    "\\bey[\\w-]{8,}\\.ey[\\w-]{8,}\\.",
    "[#@]\\s*sourceMappingURL=\\S+",
  ];
  return patterns.flatMap((pattern) => new RegExp(pattern).exec(text)?.[0] ?? []);
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
