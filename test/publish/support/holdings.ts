import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "./registry.js";

/** What a registry has of our package: as it answers, and as it lies on its disk. */
export interface Holdings {
  /** The integrity of each version, as an install is told it. */
  versions: Record<string, string>;
  tags: Record<string, string>;
  /** The integrity of each tarball, as it is. */
  tarballs: Record<string, string>;
}

/** Looks up what a registry has of our package. */
export async function holdings({ url, folder }: Registry): Promise<Holdings> {
  const response = await fetch(`${url}/media-catalogue`);
  const { versions = {}, "dist-tags": tags = {} } = (await response.json()) as {
    versions?: Record<string, { dist: { integrity: string } }>;
    "dist-tags"?: Record<string, string>;
  };
  const place = join(folder, "storage/media-catalogue");
  const names = (await readdir(place).catch(() => [])).filter((name) => name !== "package.json");
  return {
    versions: mapValues(versions, ({ dist }) => dist.integrity),
    tags,
    tarballs: Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await integrityOf(join(place, name))])),
    ),
  };
}

/** The integrity of a tarball, as npm writes it. */
export async function integrityOf(tarball: string): Promise<string> {
  return `sha512-${createHash("sha512")
    .update(await readFile(tarball))
    .digest("base64")}`;
}

function mapValues<Value, Mapped>(
  object: Record<string, Value>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
