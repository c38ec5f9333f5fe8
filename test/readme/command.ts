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
 * sandbox; those of the repository, which would run the tests in the tests, are only compared with what there is.
 * @param url of the sandbox
 */
export async function problemWith(command: string, app: string, url: string): Promise<string[]> {
  const [, name = "", rest = ""] = /^(?:[A-Z_]+=\S+ )*(\S+) ?(.*)$/.exec(command) ?? [];
  if (name === "curl" || (name === "npx" && !rest.startsWith("media-catalogue sandbox"))) {
    return problemOfRun(
      command.replaceAll(/https?:\/\/(catalogue\.example|127\.0\.0\.1:4010)/g, url),
      app,
    );
  }
  if (name === "npx") return unknownOptions(rest, "npx media-catalogue sandbox --help", app);
  if (name === "node") return existsSync(join(root, rest.split(" ")[0]!)) ? [] : [`no ${rest}`];
  if (name === "npm") return problemOfScript(rest);
  return [`${command}: no one has said how to check this`];
}

async function problemOfRun(command: string, cwd: string): Promise<string[]> {
  const { code, stdout, stderr } = await execute(command.replace(/^curl /, "curl -fsS "), cwd, {
    npm_config_offline: "true",
  });
  if (code !== 0) return [`${command}: ${code}: ${stderr}${stdout}`];
  return stdout === "" ? [`${command}: printed nothing`] : [];
}

async function problemOfScript(rest: string): Promise<string[]> {
  const [verb = "", ...words] = rest.split(" ");
  if (verb === "ci" && words.length === 0) return [];
  if (verb === "install") {
    const known = new Set([manifest.name, ...Object.keys(manifest.devDependencies)]);
    return words
      .filter((each) => !each.startsWith("-") && !known.has(each))
      .map((each) => `${each} is no package of ours`);
  }
  const script = verb === "run" ? words[0]! : verb;
  if (!(script in manifest.scripts)) return [`package.json has no script ${script}`];
  return unknownOptions(rest, `npm run --silent ${script} -- --help`, root);
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
