import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** By entry point and exported name, the members that it has; `()` where the name is a value too. */
export type Surface = Record<string, Record<string, string[]>>;

/** The program of what is published, and its entry points by the names that apps import. */
export interface Published {
  program: ts.Program;
  entries: Record<string, string>;
  /** Other things that apps can reach: files and commands. */
  others: string[];
}

/** Reads what package.json publishes, from the sources that it is built of. */
export function readPublished(project: string): Published {
  const { name, exports, bin } = JSON.parse(
    readFileSync(join(project, "package.json"), "utf8"),
  ) as {
    name: string;
    exports: Record<string, string | { types: string }>;
    bin: Record<string, string>;
  };
  const entries: Record<string, string> = {};
  const others = Object.keys(bin).map((command) => `npx ${command}`);
  for (const [path, target] of Object.entries(exports)) {
    const specifier = join(name, path);
    if (typeof target === "string") others.push(specifier);
    else
      entries[specifier] = join(
        project,
        target.types.replace("dist/", "src/").replace(/\.d\.ts$/, ".ts"),
      );
  }
  const { options } = readConfig(join(project, "tsconfig.build.json"));
  return { program: ts.createProgram(Object.values(entries), options), entries, others };
}

/** Every name that apps can import, with its members. */
export function surfaceOf({ program, entries, others }: Published): Surface {
  const checker = program.getTypeChecker();
  const surface: Surface = Object.fromEntries(others.map((each) => [each, {}]));
  for (const [entry, file] of Object.entries(entries)) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    const names = checker.getExportsOfModule(module).map((symbol): [string, string[]] => {
      const target =
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return [symbol.name, membersOf(target, checker)];
    });
    surface[entry] = Object.fromEntries(names.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
  return surface;
}

function membersOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  // Members of arrays and promises are those of a library, whose version is not ours to say.
  const isOwn = ({ declarations = [] }: ts.Symbol) =>
    declarations.some((each) => !/\/node_modules\//.test(each.getSourceFile().fileName));
  const members = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter((each) => isOwn(each) && !each.name.startsWith("__"))
    .map(({ name }) => name);
  return [...(symbol.flags & ts.SymbolFlags.Value ? ["()"] : []), ...members.toSorted()];
}

/** What an earlier surface has and a later one lacks. */
export function missing(from: Surface, to: Surface): string[] {
  return Object.entries(from).flatMap(([entry, names]) => {
    const present = to[entry];
    if (!present) return [entry];
    return Object.entries(names).flatMap(([name, members]) => {
      const left = present[name];
      if (!left) return [`${name} of ${entry}`];
      return members
        .filter((member) => !left.includes(member))
        .map((member) =>
          member === "()" ? `the value ${name} of ${entry}` : `${name}.${member} of ${entry}`,
        );
    });
  });
}

/** The compiler options of a tsconfig. */
export function readConfig(file: string): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(file));
}
