import ts from "typescript";

/**
 * What a strict compiler has to say about files of an app.
 * @param folder of the app, whose `node_modules` is looked into
 */
export function problemsOf(files: readonly string[], folder: string): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const program = ts.createProgram(files, options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const name = file?.fileName.replace(`${folder}/`, "") ?? "";
    return `${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
