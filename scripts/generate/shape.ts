import { isMap } from "../is-map.js";
import type { OpenApi, Report } from "./description.js";

/** The HTTP methods that a path item may describe. */
export const METHODS = new Set("get put post delete options head patch trace".split(" "));

const BESIDE_METHODS = /^(x-.*|summary|description|servers|parameters)$/;

/** Names that the generated modules use themselves. */
const TAKEN = new Set([
  ...["BodyOptions", "CallOptions", "CatalogueMethods", "Id", "Method", "OperationId"],
  ...["components", "operations", "paths", "webhooks", "Omit", "Record"],
]);

/** Reports every path and schema that the generator cannot name. */
export function checkShape({ paths, components }: OpenApi, report: Report): void {
  if (!isMap(paths) || Object.keys(paths).length === 0) {
    report([], "the description has no operation; add one under paths");
    return;
  }
  for (const [path, item] of Object.entries(paths)) {
    const place = ["paths", path];
    if (path.startsWith("x-")) continue;
    if (!path.startsWith("/")) report(place, `path ${path} must start with /`);
    if (!isMap(item)) report(place, `path ${path} must be a map of its operations`);
    for (const key of Object.keys(item ?? {})) {
      if (METHODS.has(key) || BESIDE_METHODS.test(key)) continue;
      const methods = [...METHODS].join(", ");
      report([...place, key], `${key} is not an HTTP method; use one of ${methods}`);
    }
  }
  for (const name of Object.keys(components?.schemas ?? {})) {
    const place = ["components", "schemas", name];
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      report(place, `schema name ${name} is not a valid type name; use letters, digits and _`);
    } else if (TAKEN.has(name)) {
      report(place, `schema name ${name} is used by the generated types; choose another`);
    }
  }
}
