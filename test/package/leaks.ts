import { homedir, tmpdir } from "node:os";
import { posix } from "node:path";
import { root } from "../support/paths.js";
import { TOKEN } from "../support/server.js";

/** What must be in no published file, by what it is. */
const LEAKS: Record<string, RegExp> = {
  "a path of a machine": new RegExp(
    `(?:${[root, homedir(), tmpdir()].map(pathOf).join("|")}|/home|/Users)/|\\b[A-Z]:\\\\\\w`,
  ),
  "a registry": /\bregistry\.[\w-]+\.\w+|\bverdaccio\b|\b_authToken\b/,
  "a token": new RegExp(
    `${literal(TOKEN)}|\\bnpm_\\w{36}|\\bgh[oprsu]_\\w{36}|\\bgithub_pat_\\w{22}|\\bey[\\w-]{8,}\\.ey[\\w-]{8,}\\.`,
  ),
};

/** What a published file gives away, or refers to outside of the package. */
export function leaksOf(file: string, text: string, files: readonly string[]): string[] {
  const found = Object.entries(LEAKS).flatMap(([what, pattern]) => {
    const match = pattern.exec(text);
    return match ? [`${file} holds ${what}: ${match[0]}`] : [];
  });
  for (const [, map] of text.matchAll(/[#@]\s*sourceMappingURL=(\S+)/g)) {
    const target = posix.join(posix.dirname(file), map!);
    if (!files.includes(target)) found.push(`${file} has a source map outside: ${map}`);
  }
  return found;
}

/** A folder, without the slash that it may end with. */
function pathOf(folder: string): string {
  return literal(folder.replace(/[/\\]$/, ""));
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
