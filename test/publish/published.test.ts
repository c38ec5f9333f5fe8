import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { root } from "../support/paths.js";
import { runStep } from "../workflows/run-step.js";
import { createApp, type App } from "./support/app.js";
import { added, addOperation, addRecordings } from "./support/edit.js";
import { holdings, integrityOf } from "./support/holdings.js";
import { hideVersions } from "./support/ways.js";
import { setUpNpm } from "./support/npm.js";
import { cloneProject, commit } from "./support/project.js";
import { describeWithRegistry } from "./support/registry.js";
import { succeed, type Ran } from "./support/run.js";
import { useWorkbench } from "./support/workbench.js";

/** What a release asks for that takes no quarter of an hour. */
const STEPS = "clean,generated,diff,recordings,api,changelog";
/** Provenance is signed by the identity of a run on GitHub; there is none here. */
const publish = ["publish", "--provenance=false"];

describeWithRegistry("from an edit of the YAML to an installed package", () => {
  const bench = useWorkbench();
  let project = "";
  let app: App;
  let first = "";
  let second = "";

  beforeAll(async () => {
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
      // Their scripts want the repository that they come from.
      await bench.npm.do([...publish, "--ignore-scripts"], {
        cwd: join(root, "node_modules", name),
      });
    }
    project = join(bench.folder, "project");
    await cloneProject(project);
    app = await createApp(join(bench.folder, "app"), bench.npm);
    first = await version();
    const [major, minor] = first.split(".").map(Number);
    second = `${major}.${minor! + 1}.0`;
  });

  const version = async () =>
    (JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { version: string })
      .version;
  const script = (...args: string[]): Promise<Ran> =>
    bench.npm.try(["run", "--silent", ...args], { cwd: project });
  const succeeds = async (...args: string[]) => {
    const { code, stdout, stderr } = await script(...args);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };

  /** Packs as the workflow does. @returns the tarball */
  async function pack(): Promise<string> {
    const env = { ...bench.npm.env, VERSION: await version() };
    const runner = { cwd: project, temp: bench.folder, env };
    const { code, stderr, outputs } = await runStep("release.yml", "check", "Pack", runner);
    expect(code, stderr).toBe(0);
    const packed = join(bench.folder, "package");
    const names = await readdir(packed);
    expect(outputs.match(/(?<= {2}).+/g)).toEqual(names.toSorted());
    const tarball = join(bench.folder, `media-catalogue-${env.VERSION}.tgz`);
    await rename(
      join(
        packed,
        names.find((name) => name.endsWith(".tgz"))!,
      ),
      tarball,
    );
    await rm(packed, { recursive: true });
    return tarball;
  }

  it("publishes a version that an empty project installs, calls and judges with", async () => {
    const tarball = await pack();
    await bench.npm.do([...publish, tarball], { cwd: bench.folder });
    await app.install(first);

    const { "media-catalogue": ours, ...others } = await app.installed();
    expect(ours).toEqual({ version: first, integrity: await integrityOf(tarball) });
    expect(Object.keys(others)).toEqual(["openapi-fetch", "openapi-typescript-helpers"]);
    expect(await app.call("movies", "lists", 603)).toMatchObject({ id: 603 });

    expect(await app.npx("media-catalogue", "--version")).toMatchObject({
      code: 0,
      stdout: `${first}\n`,
    });
    const file = join(root, "test/recordings/movies.lists/typical.json");
    const recording = await readFile(file, "utf8");
    await writeFile(join(app.folder, "good.json"), recording);
    await writeFile(join(app.folder, "bad.json"), recording.replace('"page": 1', '"page": "1"'));
    expect(await app.npx("media-catalogue", "contract", "good.json")).toMatchObject({ code: 0 });
    expect(await app.npx("media-catalogue", "contract", "bad.json")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("/page") as string,
    });
  });

  it("keeps what was released, for the next version to be compared with", async () => {
    await succeed("git", ["tag", "--force", `v${first}`], { cwd: project });
    await succeeds("release:version", "--", "--record");
    // What waits for the next version here would raise it further than the edit below.
    const changesets = join(project, ".changeset");
    for (const name of await readdir(changesets)) {
      if (name.endsWith(".md")) await rm(join(changesets, name));
    }
    await commit(project, `Keep ${first} as released`);
    expect(await succeeds("release:check", "--", "--only", "diff")).toContain(
      `\nready to release ${first}`,
    );
  });

  it("asks for a minor bump when the YAML gets an operation", async () => {
    expect(await app.call("movies", "keywords", 603)).toBeNull();
    await addOperation(project);
    await succeeds("generate");
    await addRecordings(project);
    await succeeds("generate");
    await commit(project, "Describe the keywords of a movie");

    await succeeds("contract");
    const { code, stdout } = await script("release:check", "--", "--only", "clean,generated,diff");
    expect(code).toBe(1);
    expect(stdout).toContain(`asks for a minor bump, to ${second} or later`);
    expect(stdout).toContain(`not ready to release ${first}`);
  });

  it("is ready once a changeset has raised the version", async () => {
    const changeset = `---\n"media-catalogue": minor\n---\n\nAdd \`${added.operation}\`.\n`;
    await writeFile(join(project, ".changeset/keywords.md"), changeset);
    await succeeds("release:version");
    expect(await version()).toBe(second);
    expect(await readFile(join(project, "CHANGELOG.md"), "utf8")).toContain(added.operation);
    await commit(project, `Release ${second}`);

    expect(await succeeds("release:check", "--", "--only", STEPS)).toContain(
      `\nready to release ${second}`,
    );
  });

  it("publishes the next version, and an update brings the new method", async () => {
    const tarball = await pack();
    await bench.npm.do([...publish, tarball], { cwd: bench.folder });
    await app.install("latest");
    expect((await app.installed())["media-catalogue"]).toEqual({
      version: second,
      integrity: await integrityOf(tarball),
    });
    expect(await app.call("movies", "keywords", 603)).toMatchObject({
      id: 603,
      keywords: [{ name: "saving the world" }],
    });
    const recording = join(project, "test/recordings", added.operation, "typical.json");
    expect(await app.npx("media-catalogue", "contract", recording)).toMatchObject({ code: 0 });
  });

  it("refuses to publish a version again, and says so", async () => {
    const before = await holdings(bench.registry);
    expect(Object.keys(before.versions)).toEqual([first, second]);
    const tarball = join(bench.folder, `media-catalogue-${second}.tgz`);

    const again = await bench.npm.try([...publish, tarball], { cwd: bench.folder });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(
      `cannot publish over the previously published versions: ${second}`,
    );

    // npm has looked first; one that sees nothing there hears it from the registry.
    const { url, close } = await hideVersions(bench.registry.url);
    onTestFinished(close);
    const folder = join(bench.folder, "unseeing");
    const unseeing = await setUpNpm(folder, { url, token: bench.registry.token });
    const refused = await unseeing.try([...publish, tarball], { cwd: bench.folder });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/E409.*already present/s);
    expect(await holdings(bench.registry)).toEqual(before);
  });

  it("lets only its user publish, and shows the token nowhere", async () => {
    const before = await holdings(bench.registry);
    const folder = join(bench.folder, "anybody");
    const anybody = await setUpNpm(folder, { url: bench.registry.url });
    const tarball = join(bench.folder, `media-catalogue-${first}.tgz`);
    const refused = await anybody.try([...publish, tarball], { cwd: bench.folder });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("ENEEDAUTH")]);
    const url = `${bench.registry.url}/media-catalogue`;
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(url, { method: "PUT", headers, body: "{}" });
    expect(status).toBe(401);
    expect(await holdings(bench.registry)).toEqual(before);

    const logs = await bench.npm.logs();
    expect(logs).toContain("publish");
    expect(logs).not.toContain(bench.registry.token);
  });
});
