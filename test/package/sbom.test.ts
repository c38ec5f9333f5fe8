import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import lock from "../../package-lock.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";

interface Spdx {
  spdxVersion: string;
  name: string;
  packages: {
    name: string;
    versionInfo: string;
    licenseDeclared: string;
    checksums?: { algorithm: string; checksumValue: string }[];
  }[];
}

interface CycloneDx {
  bomFormat: string;
  metadata: { component: { purl: string } };
  components: { purl: string; hashes: { alg: string; content: string }[] }[];
}

/** What a release attaches: of the lock file alone, and of what is published. */
async function sbom(format: string): Promise<unknown> {
  const args = ["sbom", "--sbom-format", format, "--omit", "dev", "--package-lock-only"];
  return JSON.parse((await promisify(execFile)("npm", args, { cwd: root })).stdout);
}

const names = ["openapi-fetch", "openapi-typescript-helpers"] as const;
const published = names.map((name) => {
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const hash = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
  return { name, version, hash };
});

test("npm sbom tells in SPDX what is published, and its bytes", async () => {
  const { spdxVersion, name, packages } = (await sbom("spdx")) as Spdx;
  expect(spdxVersion).toBe("SPDX-2.3");
  expect(name).toBe(`${manifest.name}@${manifest.version}`);
  const [own, ...others] = packages;
  expect(own).toMatchObject({ name: manifest.name, versionInfo: manifest.version });
  expect(others).toMatchObject(
    published.map((each) => ({
      ...{ name: each.name, versionInfo: each.version, licenseDeclared: "MIT" },
      checksums: [{ algorithm: "SHA512", checksumValue: each.hash }],
    })),
  );
});

test("npm sbom tells the same in CycloneDX", async () => {
  const { bomFormat, metadata, components } = (await sbom("cyclonedx")) as CycloneDx;
  expect(bomFormat).toBe("CycloneDX");
  expect(metadata.component.purl).toBe(`pkg:npm/${manifest.name}@${manifest.version}`);
  expect(components).toMatchObject(
    published.map(({ name, version, hash }) => ({
      ...{ purl: `pkg:npm/${name}@${version}` },
      hashes: [{ alg: "SHA-512", content: hash }],
    })),
  );
});
