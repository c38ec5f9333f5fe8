import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/paths.js";
import { execute } from "./execute.js";

interface Manifest {
  name: string;
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** The commands of a block of a shell; a line that ends in a backslash goes on. */
export function commandsOf(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, "")
    .split(/\n|&&/)
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("#"));
}

/**
 * What is wrong with a command. Those of the package and curl are run, in an app that has installed it and against a
 * sandbox. Those of the repository, which would run the tests in the tests, are compared with what there is; other
 * packages are to be pinned.
 * @param url of the sandbox
 */
export async function problemWith(command: string, app: string, url: string): Promise<string[]> {
  const [name, verb = "", ...words] = command.replace(/^([A-Z_]+=\S+ )*/, "").split(" ");
  switch (`${name} ${verb}`) {
    case "npx media-catalogue":
      if (words[0] !== "sandbox") return problemOfRun(command, app, url);
      return unknownOptions(command, "npx media-catalogue sandbox --help", app);
    case "npx tsx":
      return missingFile(words[0]);
    case "npx openapi-ts":
      return missingFile(words[words.indexOf("-i") + 1]);
    case "npm install":
      return unknownPackages(words.filter((each) => !each.startsWith("-")));
    case "npm audit":
      // It asks a registry, which no test does.
      return [];
    case "npm ci":
      return words.length === 0 ? [] : [command];
    case "npm run":
      return problemOfScript(words[0]!, command);
  }
  if (name === "npm") return problemOfScript(verb, command);
  if (name === "node") return missingFile(verb);
  if (name === "curl") return problemOfRun(command.replace("curl", "curl -fsS"), app, url);
  return [`${command}: nothing says how to check this`];
}

async function problemOfRun(command: string, cwd: string, url: string): Promise<string[]> {
  const local = command.replaceAll(/https?:\/\/(catalogue\.example|127\.0\.0\.1:4010)/g, url);
  const { code, stdout, stderr } = await execute(local, cwd, { npm_config_offline: "true" });
  if (code !== 0) return [`${command}: ${code}: ${stderr}${stdout}`];
  return stdout === "" ? [`${command}: printed nothing`] : [];
}

async function problemOfScript(script: string, command: string): Promise<string[]> {
  if (!(script in manifest.scripts)) return [`${command}: package.json has no such script`];
  return unknownOptions(command, `npm run --silent ${script} -- --help`, root);
}

/** Options of a command that its help does not name. */
async function unknownOptions(command: string, help: string, cwd: string): Promise<string[]> {
  const options = command.match(/--[a-z][a-z-]*/g) ?? [];
  if (options.length === 0) return [];
  const { stdout } = await execute(help, cwd);
  return options
    .filter((each) => !stdout.includes(`${each} `))
    .map((each) => `${command}: no ${each}`);
}

function unknownPackages(names: string[]): string[] {
  const known = new Set([manifest.name, ...Object.keys(manifest.devDependencies)]);
  return names
    .filter((each) => !known.has(each) && !/.@\d+\.\d+\.\d+$/.test(each))
    .map((each) => `${each} is not of this project, and not pinned`);
}

function missingFile(path = ""): string[] {
  return existsSync(join(root, path)) ? [] : [`${path} is not there`];
}
