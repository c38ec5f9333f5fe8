import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a script of package.json, as `npm run` does. @returns its output if it failed, else undefined */
export async function runScript(...script: string[]): Promise<string | undefined> {
  // npm sets this to the path of its own script; on Windows, `npm` alone is not an executable.
  const { npm_execpath: manager } = process.env;
  const [command = "npm", ...first] = manager ? [process.execPath, manager] : ["npm"];
  const child = spawn(command, [...first, "run", "--silent", ...script], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? undefined : output.trimEnd();
}
