import type { Origin } from "../types.js";

/** Which entries of a HAR are of the catalogue. */
export interface Target {
  origin: Origin;
  /** Where the service is called, of http or https; any such place where it is undefined. */
  baseUrl?: URL | undefined;
}

/** The path from `/3` on, where every described path starts, or why a URL is not of the catalogue. */
export function pathOf(
  url: URL,
  { baseUrl }: Target,
): { path: string } | "other origin" | "other path" {
  const isThere = baseUrl ? url.origin === baseUrl.origin : /^https?:$/.test(url.protocol);
  if (!isThere) return "other origin";
  const prefix = baseUrl?.pathname.replace(/\/+$/, "") ?? "";
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : "";
  return path.startsWith("/3/") ? { path } : "other path";
}
