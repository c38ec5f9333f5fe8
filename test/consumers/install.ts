import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packed } from "../support/package.js";
import { runIn } from "./tools.js";

/** An app with the package installed, outside the project, so that it cannot use the node_modules of the project. */
export interface App {
  folder: string;
  remove(): Promise<void>;
}

/** Copies one of the folders here and installs the tarball in it, as a user does. */
export async function installApp(name: string): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), `media-catalogue-${name}-`));
  await cp(join(import.meta.dirname, name), folder, { recursive: true });
  await cp(join(import.meta.dirname, "../support/tour.mjs"), join(folder, "tour.mjs"));
  const options = ["--prefer-offline", "--no-audit", "--no-fund"];
  const { tarball } = await packed();
  const { code, stderr } = await runIn(folder, "npm", "install", ...options, tarball);
  if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
