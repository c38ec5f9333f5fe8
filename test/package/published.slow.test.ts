import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/paths.js";
import { cloneProject, commit } from "../support/clone.js";
import { startRegistry, type Registry } from "./registry.js";
import { packed } from "../support/package.js";
import { execute, succeed } from "../support/run.js";
import { describeWithTools } from "../tools/tools.js";

/** The npm arguments to publish without provenance, which only a GitHub workflow run can create. */
const publish = ["publish", "--provenance=false"];

/** A program that calls the installed sandbox with the installed client. */
const call = `
import { createCatalogue } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";
const { fetch } = createSandbox();
const catalogue = createCatalogue({ baseUrl: "https://sandbox.example", token: "any", fetch });
console.log(JSON.stringify(await catalogue.movies.lists(603)));
`;

describeWithTools("publishing to a registry", { timeout: 600_000 }, () => {
  let folder = "";
  let project = "";
  let app = "";
  let registry: Registry;
  let first = "";
  let second = "";
  const tarballs: Record<string, string> = {};

  const env = (name = "maintainer") => ({
    NPM_CONFIG_USERCONFIG: join(folder, `${name}.npmrc`),
    NPM_CONFIG_GLOBALCONFIG: join(folder, "none"),
  });
  const npm = (cwd: string, ...args: string[]) => succeed("npm", args, { cwd, env: env() });
  const script = (...args: string[]) =>
    execute("npm", ["run", "--silent", ...args], { cwd: project, env: env() });
  const callApp = async () =>
    JSON.parse(await succeed(process.execPath, ["call.js"], { cwd: app })) as unknown;
  const version = async () =>
    (JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { version: string })
      .version;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "publish-"));
    registry = await startRegistry(join(folder, "registry"));
    const settings = `registry=${registry.url}\ncache=${join(folder, "cache")}\naudit=false\nfund=false\n`;
    const login = `${registry.url.replace("http:", "")}/:_authToken=${registry.token}\n`;
    await writeFile(join(folder, "anybody.npmrc"), settings);
    await writeFile(join(folder, "maintainer.npmrc"), settings + login, { mode: 0o600 });
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
      // The scripts of these packages work only in their own repositories.
      await npm(join(root, "node_modules", name), ...publish, "--ignore-scripts");
    }
    project = join(folder, "project");
    await cloneProject(project);
    const waiting = await readdir(join(project, ".changeset"));
    for (const name of waiting.filter((each) => each.endsWith(".md"))) {
      await rm(join(project, ".changeset", name));
    }
    await commit(project, "Release");
    // The tarball must not depend on old build files, timestamps, or permissions.
    await mkdir(join(project, "dist"));
    await writeFile(join(project, "dist/removed.js"), "export {};\n");
    for (const name of ["README.md", "LICENSE", "package.json", "openapi/catalogue.yaml"]) {
      await utimes(join(project, name), 1e9, 1e9);
      await chmod(join(project, name), 0o664);
    }
    await npm(project, "run", "build");
    app = join(folder, "app");
    await mkdir(app);
    await writeFile(join(app, "package.json"), '{ "private": true, "type": "module" }\n');
    await writeFile(join(app, "call.js"), call);
    first = await version();
    const [major, minor] = first.split(".").map(Number);
    second = `${major}.${minor! + 1}.0`;
  });
  afterAll(async () => {
    await registry?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Packs the current version, publishes the tarball, and installs the package in the app.
   * @param spec the version or tag to install
   */
  async function release(spec: string): Promise<void> {
    const released = await version();
    const temp = join(folder, released);
    await mkdir(temp);
    await npm(project, "pack", "--pack-destination", temp);
    const name = (await readdir(temp)).find((each) => each.endsWith(".tgz"))!;
    tarballs[released] = join(temp, name);
    await npm(folder, ...publish, tarballs[released]);
    await npm(app, "install", `media-catalogue@${spec}`);
    const { packages } = JSON.parse(await readFile(join(app, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string; integrity: string }>;
    };
    const hash = createHash("sha512").update(await readFile(tarballs[released]));
    const integrity = `sha512-${hash.digest("base64")}`;
    expect(packages["node_modules/media-catalogue"]).toMatchObject({
      version: released,
      integrity,
    });
    expect(Object.keys(packages)).toHaveLength(4);
  }

  it("an empty project can install and call a published version", async () => {
    await release(first);
    expect(await callApp()).toMatchObject({ id: 603 });
    const command = await succeed("npx", ["media-catalogue", "--version"], {
      cwd: app,
      env: env(),
    });
    expect(command).toBe(`${first}\n`);
    await succeed("git", ["tag", "--force", `v${first}`], { cwd: project });
  });

  it("npm run build and npm pack create identical tarballs in two clones, despite a stale `dist` and older, group-writable files", () => {
    const [here, there] = [packed().tarball, tarballs[first]!].map((file) => readFileSync(file));
    expect(here!.equals(there!)).toBe(true);
  });

  it("a changeset leads to the next version, which npm installs as an update", async () => {
    const changeset = `---\n"media-catalogue": minor\n---\n\nAdd nothing.\n`;
    await writeFile(join(project, ".changeset/nothing.md"), changeset);
    expect(await script("release:version")).toMatchObject({ code: 0 });
    expect(await version()).toBe(second);
    await commit(project, `Release ${second}`);
    await release("latest");
    expect(await callApp()).toMatchObject({ id: 603 });
  });

  it("the registry rejects a version that is already published and a user who is not logged in", async () => {
    const again = await execute("npm", [...publish, tarballs[second]!], {
      cwd: folder,
      env: env(),
    });
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining(`cannot publish over the previously published versions: ${second}`),
    ]);
    const stranger = { cwd: folder, env: env("anybody") };
    const rejection = await execute("npm", [...publish, tarballs[first]!], stranger);
    expect([rejection.code, rejection.stderr]).toEqual([1, expect.stringContaining("ENEEDAUTH")]);
    const logs = await readdir(join(folder, "cache/_logs"));
    const texts = await Promise.all(
      logs.map((name) => readFile(join(folder, "cache/_logs", name), "utf8")),
    );
    expect(texts.join("")).toContain("publish");
    expect(texts.join("")).not.toContain(registry.token);
  });
});
