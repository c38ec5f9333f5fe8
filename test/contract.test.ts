import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, it } from "vitest";
import { deref, description, descriptionFile, operations } from "./support/description.js";
import { exampleResponses } from "./support/example-responses.js";

/** Unmodified ajv in strict mode, which rejects unknown keywords. Path identifiers are strings or integers. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
ajv.addVocabulary("openapi info servers security tags paths components discriminator".split(" "));
ajv.addVocabulary([...new Set(readFileSync(descriptionFile, "utf8").match(/\bx-[\w-]+(?=:)/g))]);
ajv.addSchema(description, "catalogue");

/** Returns the problems with a value. @param pointer an RFC 6901 pointer to a schema in openapi/catalogue.yaml */
function problemsOf(value: unknown, pointer: string): string {
  const fragment = pointer.split("/").map(encodeURIComponent).join("/").replace("%23", "#");
  const validate = ajv.getSchema(`catalogue${fragment}`)!;
  return validate(value) ? "" : ajv.errorsText(validate.errors);
}

it.each(exampleResponses)(
  "stock ajv accepts the request and the response of the example $name",
  ({ operation: id, request, response }) => {
    const { pointer, path, method, operation } = operations.find(
      (each) => each.operation.operationId === id,
    )!;
    expect(request.method).toBe(method.toUpperCase());
    expect(request.path).toMatch(new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, "[^/]+")}$`));
    const json = "content/application~1json/schema";
    expect("body" in request).toBe("requestBody" in operation);
    if ("body" in request)
      expect(problemsOf(request.body, `${pointer}/requestBody/${json}`)).toBe("");

    const status = String(response.status) in operation.responses ? response.status : "default";
    const described = operation.responses[status]!;
    const at = described.$ref ?? `${pointer}/responses/${status}`;
    if (deref(described).content) {
      expect(response.headers["content-type"]).toMatch(/^application\/json\b/);
      expect(problemsOf(response.body, `${at}/${json}`)).toBe("");
    } else expect(response.body).toBeUndefined();
    for (const [name, { required = false }] of Object.entries(deref(described).headers ?? {})) {
      const value = response.headers[name.toLowerCase()];
      if (value === undefined) expect(required, name).toBe(false);
      else expect(problemsOf(value, `${at}/headers/${name}/schema`)).toBe("");
    }
  },
);
