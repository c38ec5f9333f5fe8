import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { cloneProject, commit } from "../support/clone.js";
import { runScript, succeed } from "../support/run.js";
import { root } from "../support/paths.js";

const yaml = "openapi/catalogue.yaml";
const full = "openapi/full.yaml";

type Json = any; // oxlint-disable-line typescript/no-explicit-any
/** Reads the changes in a report that require a bump, sorted and without the name of the rule. */
const rated = (report: string, bump: string) => {
  const lines = report.split("\n").filter((line) => line.includes(` ${bump} |`));
  const details = lines.map((line) => / \| ((?:[^|]|\\\|)+ `[\w/-]+`) \|$/.exec(line)?.[1] ?? "");
  const problems = details.flatMap((each) => each.split("<br>"));
  const named = problems.map((each) => each.replace(/ `[\w/-]+`$/, "").replaceAll("\\", ""));
  return [...new Set(named)].filter(Boolean).toSorted();
};
const hasName = (name: string) => (each: { name?: string }) => each.name === name;

describe("npm run release:check", { timeout: 600_000 }, () => {
  let folder = "";
  let cwd = "";

  const git = (...args: string[]) => succeed("git", args, { cwd });
  const npm = (...args: string[]) => succeed("npm", ["run", "--silent", ...args], { cwd });
  const check = () => runScript("scripts/release-check.ts", [], { cwd });
  async function release(bump: "patch" | "minor" | "major") {
    await git("checkout", "-q", "--", "package.json", "package-lock.json", "CHANGELOG.md");
    const changeset = `---\n"media-catalogue": ${bump}\n---\n\nName genres otherwise.\n`;
    await writeFile(join(cwd, ".changeset/genre.md"), changeset);
    await npm("release:version");
    return check();
  }
  async function change(apply: (paths: Json, schemas: Json, parameters: Json) => void) {
    const document = parse(await readFile(join(cwd, full), "utf8")) as Json;
    apply(document.paths, document.components.schemas, document.components.parameters);
    await writeFile(join(cwd, full), stringify(document));
  }
  async function edit(file: string, from: string, to: string) {
    const text = await readFile(join(cwd, file), "utf8");
    expect(text).toContain(from);
    await writeFile(
      join(cwd, file),
      text.replace(from, () => to),
    );
  }

  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    folder = await mkdtemp(join(root, ".tmp/release-check-"));
    cwd = join(folder, "project");
    await cloneProject(cwd);
    await git("rm", "-q", "--ignore-unmatch", "--", ".changeset/*.md");
    await writeFile(join(cwd, "CHANGELOG.md"), "# media-catalogue\n\n## 1.0.0\n\n- The first.\n");
    await edit("package.json", /"version": ".*"/.exec(await manifest())![0], '"version": "1.0.0"');
    const url = "https://github.com/owner/project";
    await succeed("npm", ["pkg", "set", `repository=${url}`], { cwd });
    await commit(cwd, "Release 1.0.0");
    await git("branch", "released");
  });
  const manifest = () => readFile(join(cwd, "package.json"), "utf8");
  beforeEach(async () => {
    await git("checkout", "-q", "--force", "-B", "main", "released");
    await git("clean", "-fdq");
    await git("tag", "--force", "v1.0.0", "released");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("before the first release, the release check compares with origin/main or the last commit, and allows every change", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("tag", "v2.0.0-rc.1");
    await edit(full, "operationId: movies.latest\n", "operationId: movies.newest\n");
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([0, expect.stringContaining("No tag vX.Y.Z exists")]);
    expect(stdout).toMatch(
      /^## Release check: 1\.0\.0, compared with origin\/main \([0-9a-f]{8}\)$/m,
    );
    expect(stdout).toContain("changed from 'movies.latest' to 'movies.newest'");
    await git("update-ref", "-d", "refs/remotes/origin/main");
    expect((await check()).stdout).toContain("compared with the last commit\n");
  });

  it("the release check requires a major version for each method, parameter, property, and exported name that an app loses", async () => {
    await change((paths, schemas, parameters) => {
      delete paths["/3/movie/{movie_id}/rating"].delete;
      delete paths["/3/trending/person/{time_window}"];
      paths["/3/movie/latest"].get.operationId = "movies.newest";
      const discover = paths["/3/discover/movie"].get.parameters;
      discover.splice(discover.findIndex(hasName("with_watch_monetization_types")), 1);
      discover.find(hasName("certification")).required = true;
      parameters.MovieId.name = "id";
      for (const path of Object.keys(paths).filter((each) => each.includes("{movie_id}"))) {
        paths[path.replace("{movie_id}", "{id}")] = paths[path];
        delete paths[path];
      }
      const session = paths["/3/authentication/session/new"].post.requestBody.content;
      delete session["application/json"].schema.properties.request_token;
      session["application/json"].schema.required = [];
      delete schemas.Genre.properties.name;
    });
    await edit("test/types/api/full.api.md", "export type Account;", "export type User;");
    await edit(
      "test/types/api/interceptors.api.md",
      "    readonly onWarning?:",
      "    readonly warn?:",
    );
    await succeed("npm", ["pkg", "delete", "bin"], { cwd });
    await succeed("npm", ["pkg", "delete", "exports[./full.yaml]"], { cwd });
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(rated(stdout, "major")).toEqual([
      "Operation `DELETE /3/movie/{id}/rating` was removed.",
      "Parameter `movie_id` was renamed to `id`.",
      "Path `/3/trending/person/{time_window}` was removed.",
      "Property `name` of `Genre` was removed.",
      "Property `request_token` of a request was removed.",
      "`certification` query parameter became required.",
      "`operationId` of operation `GET /3/movie/latest` changed from 'movies.latest' to 'movies.newest'.",
      "`with_watch_monetization_types` query parameter was removed.",
    ]);
    expect(stdout).toContain(
      "## Removed exports\n\nRequires a **major** bump:\n\n- ./full.yaml\n- media-catalogue\n- Account (full.api.md)\n- CacheOptions.onWarning (interceptors.api.md)\n",
    );
    expect(stdout).toContain("run npm run changeset, and choose major or higher");
  });

  it("the release check requires a minor version for a new method and a type that follows the service more closely, and accepts no patch version", async () => {
    await change((paths, schemas) => {
      const latest = paths["/3/movie/latest"].get;
      paths["/3/movie/newest"] = { get: { ...latest, operationId: "movies.newest" } };
      schemas.Genre.properties.name.type = ["string", "null"];
      schemas.Genre.required = ["id"];
      delete schemas.Account.properties.username.description;
      schemas.Account.properties.name.const = "Ada";
    });
    const unreleased = await check();
    expect(unreleased.stdout).toContain("choose minor or higher");
    expect(rated(unreleased.stdout, "major")).toEqual([]);
    expect(rated(unreleased.stdout, "minor")).toEqual([
      "Properties of `Genre` are no longer required: `name`.",
      "Type of `name` widened from 'string' to 'string | null'.",
      ...["const", "required", "type"].map((each) => `\`${each}\` changed the generated type.`),
    ]);
    const patch = await release("patch");
    expect(patch.code).toBe(1);
    expect(patch.stdout).toContain(
      "require a minor version, not a patch version: run npm run changeset",
    );
    const minor = await release("minor");
    expect([minor.code, minor.stdout]).toEqual([0, expect.stringContaining("**Ready")]);
  });

  it("the release check rejects a version that is lower than the last release", async () => {
    await succeed("npm", ["pkg", "set", "version=0.9.0"], { cwd });
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([1, expect.stringContaining("0.9.0 is lower than v1.0.0")]);
  });

  it("the release check requires a repository in package.json", async () => {
    await succeed("npm", ["pkg", "delete", "repository"], { cwd });
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([1, expect.stringContaining("package.json has no repository")]);
  });

  it("the release check rejects a shallow clone without tags", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("clone", "-q", "--depth=1", "--no-tags", `file://${cwd}`, join(folder, "shallow"));
    await git("worktree", "prune");
    await appendFile(join(folder, "shallow/.git/info/exclude"), "node_modules\n");
    await succeed("ln", ["-s", join(root, "node_modules"), "node_modules"], {
      cwd: join(folder, "shallow"),
    });
    const { code, stderr } = await runScript("scripts/release-check.ts", [], {
      cwd: join(folder, "shallow"),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("git fetch --tags --unshallow")]);
  });

  it("the release check rejects changes to a released version, and names the required bump of `info.version`", async () => {
    await edit("README.md", "# media-catalogue", "# Media catalogue");
    const responses = '{ default: { $ref: "#/components/responses/Error" } }';
    const added = `get: { operationId: genres.undocumented, responses: ${responses} }`;
    await edit(yaml, "\npaths:\n", `\npaths:\n  /3/genre/undocumented:\n    ${added}\n`);
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain(
      "info.version stayed 1.0.0, but these changes require a minor bump (1.1.0)",
    );
    expect(stdout).toContain(
      "files have changed since: README.md, openapi/catalogue.yaml; run npm",
    );
    expect(stdout.match(/^- .*/gm)).toHaveLength(2);
  });

  it("the release check requires an unchanged `info.version` if the description has not changed", async () => {
    const { code, stdout } = await release("minor");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("**Ready to release 1.1.0.**");
    expect(await git("diff", "--name-only")).not.toContain(yaml);

    await edit(yaml, "  version: 1.0.0", "  version: 1.1.0");
    const bumped = await check();
    expect(bumped.code).toBe(1);
    expect(bumped.stdout).toContain(
      "info.version has changed from 1.0.0 to 1.1.0, but nothing else in openapi/catalogue.yaml has",
    );
  });

  it("the release check allows the removal of a property only in a new major version", async () => {
    await edit(yaml, "required: [id, name]\n", "required: [id]\n");
    await edit(
      yaml,
      "        name:\n          description: The genre's name.\n          type: string\n",
      "",
    );
    const minor = await check();
    expect(minor.code).toBe(1);
    expect(minor.stdout).toContain(
      "info.version stayed 1.0.0, but these changes require a major bump (2.0.0)",
    );

    await edit(yaml, "  version: 1.0.0", "  version: 2.0.0");
    const major = await release("major");
    expect(major.code, major.stdout).toBe(0);
    expect(major.stdout).toContain("**Ready to release 2.0.0.**");
  });
});
