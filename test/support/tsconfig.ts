import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./paths.js";

/** Reads one of the project's tsconfig files. */
export function readConfig(name: string): ts.ParsedCommandLine {
  const file = join(root, name);
  return ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    dirname(file),
  );
}
