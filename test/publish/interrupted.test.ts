import type { ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { root } from "../support/paths.js";
import { holdings, integrityOf } from "./support/holdings.js";
import { interruptUploads } from "./support/ways.js";
import { setUpNpm } from "./support/npm.js";
import { describeWithRegistry } from "./support/registry.js";
import type { Ran } from "./support/run.js";
import { useWorkbench } from "./support/workbench.js";

const nothing = { versions: {}, tags: {}, tarballs: {} };

describeWithRegistry("an interrupted publish", () => {
  const bench = useWorkbench();
  let tarball = "";

  beforeAll(async () => {
    // An upload is an upload: what is packed need not be built.
    const packed = await bench.npm.do(
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", bench.folder],
      { cwd: root },
    );
    tarball = join(bench.folder, packed.trim());
  });

  /** Publishes through a way that breaks; with `kill`, npm dies before the connection does. */
  async function publishInterrupted(
    share: number,
    kill = false,
  ): Promise<Ran & { passed: { bytes: number; of: number } }> {
    let npm: ChildProcess | undefined;
    const interrupt = kill ? () => void npm!.kill("SIGKILL") : undefined;
    const { url, passed, close } = await interruptUploads(bench.registry.url, share, interrupt);
    onTestFinished(close);
    const through = await setUpNpm(join(bench.folder, `npm-${new URL(url).port}`), {
      url,
      token: bench.registry.token,
    });
    const ran = await through.try(["publish", tarball, "--provenance=false"], {
      cwd: bench.folder,
      onStart: (child) => (npm = child),
    });
    return { ...ran, passed };
  }

  it.each([0, 0.5, 0.9999])(
    "leaves nothing when the connection is cut after this share of the upload: %d",
    async (share) => {
      const { code, stderr, passed } = await publishInterrupted(share);
      expect(passed.of).toBeGreaterThan((await stat(tarball)).size);
      expect(passed.bytes).toBe(Math.floor(passed.of * share));
      expect(code).toBe(1);
      expect(stderr).toMatch(/npm error (code|network)/);
      expect(await holdings(bench.registry)).toEqual(nothing);
    },
  );

  it("leaves nothing when npm is killed in the middle of the upload", async () => {
    const { signal } = await publishInterrupted(0.5, true);
    expect(signal).toBe("SIGKILL");
    expect(await holdings(bench.registry)).toEqual(nothing);
  });

  it("leaves the whole version when only the answer is lost, and publishing again says so", async () => {
    const { code } = await publishInterrupted(1);
    expect(code).toBe(1);

    const integrity = await integrityOf(tarball);
    const whole = await holdings(bench.registry);
    expect(Object.values(whole.versions)).toEqual([integrity]);
    expect(Object.values(whole.tarballs)).toEqual([integrity]);
    expect(whole.tags).toEqual({ latest: Object.keys(whole.versions)[0] });

    const again = await bench.npm.try(["publish", tarball, "--provenance=false"], {
      cwd: bench.folder,
    });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("previously published");
    expect(await holdings(bench.registry)).toEqual(whole);
  });

  it("does not stand in the way of the next", async () => {
    await bench.npm.do(["unpublish", "media-catalogue", "--force"], { cwd: bench.folder });
    expect((await publishInterrupted(0.5)).code).toBe(1);
    await bench.npm.do(["publish", tarball, "--provenance=false"], { cwd: bench.folder });
    const { versions, tarballs } = await holdings(bench.registry);
    expect(Object.values(versions)).toEqual([await integrityOf(tarball)]);
    expect(Object.values(tarballs)).toEqual(Object.values(versions));
  });
});
