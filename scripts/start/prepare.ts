import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs a script of package.json, as `npm run` does.
 * @returns what it printed if it failed, else undefined
 */
export async function runScript(...script: string[]): Promise<string | undefined> {
  // The package manager that runs us is a file of JavaScript; `npm` alone is no program on Windows.
  const manager = process.env.npm_execpath;
  const [command, ...first] = manager ? [process.execPath, manager] : ["npm"];
  const child = spawn(command!, [...first, "run", "--silent", ...script], {
    cwd: root,
    env: withoutSecrets(process.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => output.push(chunk));
  }
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return code === 0 ? undefined : Buffer.concat(output).toString().trimEnd();
}

/** No tool of the build has a use for the tokens of a deployment. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("CATALOGUE_")));
}
