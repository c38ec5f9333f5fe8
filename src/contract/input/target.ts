import type { Origin } from "../types.js";

/** Which entries of a HAR are of the catalogue. */
export interface Target {
  origin: Origin;
  /** Host, with its port where it has one; any where it is undefined. */
  host?: string | undefined;
  /** What stands before `/3`, without a slash at its end. @default "" */
  prefix?: string;
}

/** The path from `/3` on, where every described path starts, or why a URL is not of the catalogue. */
export function pathOf(
  url: URL,
  { host, prefix = "" }: Target,
): { path: string } | "other host" | "other path" {
  if (!/^https?:$/.test(url.protocol)) return "other host";
  const hosts = [url.host, url.hostname];
  if (host !== undefined && !hosts.includes(host.toLowerCase())) return "other host";
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : "";
  return path.startsWith("/3/") ? { path } : "other path";
}
