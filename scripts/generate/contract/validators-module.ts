import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { usual } from "../../../src/contract/engine/operations.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { createAjv } from "./ajv.js";
import { analyse } from "./analyse.js";
import { compact } from "./compact.js";

/** The validators of a description as one module that needs nothing: no library, no `eval`, no `require`. */
export async function validatorsModule(document: Json, header: string): Promise<string> {
  const analysis = analyse(document);
  const { ajv, nameOf } = createAjv(document, analysis, true);
  const names = Object.fromEntries(analysis.validated.map((pointer) => [pointer, nameOf(pointer)]));
  const code = standalone.default(
    ajv,
    Object.fromEntries(Object.values(names).map((name) => [name, name])),
  );
  const rows = Object.entries(names).map(
    ([pointer, name]) => `${JSON.stringify(pointer)}: checked(${name})`,
  );
  const bodies = analysis.operations.map(({ id, responses }) => [
    id,
    Object.fromEntries(responses.map(({ status, media }) => [status, usual(media)?.schema ?? ""])),
  ]);
  const contents = `${compact(code)}
const checked = (validate) => (value) => (validate(value) ? [] : validate.errors);
export const validators = { ${rows.join(",\n")} };
export const bodies = ${JSON.stringify(Object.fromEntries(bodies))};`;
  const built = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  });
  return `/* eslint-disable */ // @ts-nocheck ${header.slice(3)}${built.outputFiles[0]?.text}`;
}
