import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/paths.js";
import { runStep } from "../workflows/workflow.js";
import { added, addOperation, addExampleResponses } from "../support/added-operation.js";
import { cloneProject, commit } from "../support/clone.js";
import { startRegistry, type Registry } from "./registry.js";
import { execute, succeed } from "../support/run.js";
import { describeWithTools } from "../tools/tools.js";

/** Provenance needs the identity of a GitHub run, which a test lacks. */
const publish = ["publish", "--provenance=false"];

/** Calls a method of the installed client against the installed sandbox. */
const call = `
import { createCatalogue } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";
const [group, method, id] = process.argv.slice(2);
const { fetch } = createSandbox();
const catalogue = createCatalogue({ baseUrl: "https://sandbox.example", token: "any", fetch });
console.log(JSON.stringify((await catalogue[group][method]?.(Number(id))) ?? null));
`;

describeWithTools("from an edit of the YAML to an installed package", { timeout: 600_000 }, () => {
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
  const callApp = async (...args: string[]) =>
    JSON.parse(await succeed(process.execPath, ["call.js", ...args], { cwd: app })) as unknown;
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
      // Their scripts need the repository that they come from.
      await npm(join(root, "node_modules", name), ...publish, "--ignore-scripts");
    }
    project = join(folder, "project");
    await cloneProject(project);
    const waiting = await readdir(join(project, ".changeset"));
    for (const name of waiting.filter((each) => each.endsWith(".md"))) {
      await rm(join(project, ".changeset", name));
    }
    await commit(project, "Release");
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

  /** Packs as the release workflow does, publishes, and installs the version in the app. */
  async function release(spec: string): Promise<void> {
    const released = await version();
    const temp = join(folder, released);
    await mkdir(temp);
    const runner = { cwd: project, temp, env: { ...env(), VERSION: released } };
    const { code, stderr, outputs } = await runStep("release.yml", "check", "Pack", runner);
    expect(code, stderr).toBe(0);
    const names = (await readdir(join(temp, "package"))).toSorted();
    expect(outputs.match(/(?<= {2}).+/g)).toEqual(names);
    const name = names.find((each) => each.endsWith(".tgz"))!;
    tarballs[released] = join(temp, "package", name);
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

  it("publishes a version that an empty project installs and calls", async () => {
    await release(first);
    expect(await callApp("movies", "lists", "603")).toMatchObject({ id: 603 });
    const command = await succeed("npx", ["media-catalogue", "--version"], {
      cwd: app,
      env: env(),
    });
    expect(command).toBe(`${first}\n`);
    await succeed("git", ["tag", "--force", `v${first}`], { cwd: project });
  });

  it("publishes an added operation after a changeset, and the update has the method", async () => {
    expect(await callApp("movies", "keywords", "603")).toBeNull();
    await addOperation(project);
    await addExampleResponses(project);
    const changeset = `---\n"media-catalogue": minor\n---\n\nAdd \`${added.operation}\`.\n`;
    await writeFile(join(project, ".changeset/keywords.md"), changeset);
    // The description has a version of its own, which its change requires.
    const yaml = join(project, "openapi/catalogue.yaml");
    const text = await readFile(yaml, "utf8");
    await writeFile(yaml, text.replace(/(?<=^ {2}version: \d+\.)\d+/m, (minor) => `${+minor + 1}`));
    expect(await script("generate")).toMatchObject({ code: 0 });
    expect(await script("release:version")).toMatchObject({ code: 0 });
    expect(await version()).toBe(second);
    await commit(project, `Release ${second}`);
    const { code, stdout } = await script("release:check");
    expect(code, stdout).toBe(0);
    await release("latest");
    expect(await callApp("movies", "keywords", "603")).toMatchObject({
      keywords: [{ name: "saving the world" }],
    });
  });

  it("refuses to publish a version twice, and without a login", async () => {
    const again = await execute("npm", [...publish, tarballs[second]!], {
      cwd: folder,
      env: env(),
    });
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining(`cannot publish over the previously published versions: ${second}`),
    ]);
    const stranger = { cwd: folder, env: env("anybody") };
    const refused = await execute("npm", [...publish, tarballs[first]!], stranger);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("ENEEDAUTH")]);
    const logs = await readdir(join(folder, "cache/_logs"));
    const texts = await Promise.all(
      logs.map((name) => readFile(join(folder, "cache/_logs", name), "utf8")),
    );
    expect(texts.join("")).toContain("publish");
    expect(texts.join("")).not.toContain(registry.token);
  });
});
