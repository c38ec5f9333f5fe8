import { init, type ModuleInfos } from "license-checker-rseidelsohn";
import { nameOf, readLocks, root } from "./locks.js";

/** A package that something of the project depends on, and the licence it has. */
export interface Dependency {
  name: string;
  version: string;
  licence: string;
  /** Whether those who install the package get it, too. */
  published: boolean;
}

/**
 * Every dependency: those that are installed, by what license-checker finds in their folders; and those that the lock
 * files name, also for other platforms, by what their authors told the registry.
 */
export async function readDependencies(): Promise<Dependency[]> {
  const locked = readLocks().flatMap(({ folder, packages }) =>
    Object.entries(packages).map(([path, { version = "", license, dev }]) => ({
      ...{ name: nameOf(path), version, licence: license ?? "unknown" },
      published: folder === "." && !dev,
    })),
  );
  const published = new Set(
    locked.filter((each) => each.published).map(({ name, version }) => `${name}@${version}`),
  );
  const installed = Object.entries(await checkLicences()).map(([id, { licenses = [] }]) => ({
    name: id.slice(0, id.lastIndexOf("@")),
    version: id.slice(id.lastIndexOf("@") + 1),
    licence: [licenses].flat().join(" AND ") || "unknown",
    published: published.has(id),
  }));
  const all = [...installed, ...locked].map((each) => [JSON.stringify(each), each] as const);
  return [...new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1))).values()];
}

function checkLicences(): Promise<ModuleInfos> {
  return new Promise((resolve, reject) => {
    init(
      { start: root, excludePrivatePackages: true, excludePackages: "media-catalogue" },
      (error, found) => (error ? reject(error) : resolve(found)),
    );
  });
}
