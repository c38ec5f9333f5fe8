import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { AnySchemaObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { FORMATS, render, type Format } from "../../../src/contract/report/render.js";
import type { Finding } from "../../../src/contract/engine/types.js";
import type { Report } from "../../../src/contract/report/create-report.js";
import { root } from "../../support/paths.js";
import { clean, sample } from "./sample.js";

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8")) as AnySchemaObject;
const write = (format: Format, report: Report = sample, color = false) =>
  [...render(format, report, { color })].join("");
/** Returns the sample report with only its first finding, which has the given value. */
const withValue = (value: string) => ({
  ...sample,
  findings: [{ ...sample.findings[0]!, value }],
});

// Other tests validate the JSON formats against their schemas.
it.each(FORMATS.filter((format) => format !== "json" && format !== "sarif"))(
  "the %s report matches its snapshot",
  (format) => expect(write(format)).toMatchFileSnapshot(`snapshots/${format}.snap`),
);

describe.each(FORMATS)("%s", (format) => {
  it("two reports about the same findings have the same text, without invisible characters", () => {
    const copy = structuredClone({ ...sample, exchanges: [...sample.exchanges] });
    expect(write(format)).toBe(write(format, copy));
    expect(write(format).replaceAll("\n", "")).not.toMatch(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE]/u,
    );
  });

  it("a report without findings shows that the checks passed", () => {
    const texts: Partial<Record<Format, string>> = {
      json: '"outcome": "passed"',
      junit: 'failures="0"',
      sarif: '"results": []',
      github: "",
    };
    expect(write(format, clean)).toContain(texts[format] ?? "Passed");
  });
});

describe("json", () => {
  const schema = readJson(join(root, "schemas/contract-report.schema.json"));
  const closed = (node: unknown): unknown =>
    Array.isArray(node) || typeof node !== "object" || node === null
      ? node
      : Object.fromEntries([
          ...("properties" in node ? [["additionalProperties", false]] : []),
          ...Object.entries(node).map(([key, each]) => [key, closed(each)]),
        ]);

  it("the json report matches its published schema, which declares every property", () => {
    const ajv = new Ajv2020({ strict: false });
    const validate = ajv.compile(closed(schema) as AnySchemaObject);
    for (const report of [sample, clean]) {
      expect(validate(JSON.parse(write("json", report))), ajv.errorsText(validate.errors)).toBe(
        true,
      );
    }
  });

  it.each(["json", "sarif"] as const)(
    "a JSON parser reads the original strings from the %s report",
    (format) => {
      const actual = "a\u202Eb\u009Bc\u{E0001}d\uD800\n\u001B";
      const text = write(format, withValue(actual));
      expect(text).toMatch(/a\\u202eb\\u009bc\\udb40\\udc01d\\ud800\\n\\u001b/);
      expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(actual).slice(1, -1));
    },
  );
});

describe("sarif", () => {
  it("the sarif report does not turn values into links", () => {
    const text = write("sarif", withValue("[a](https://b.test)"));
    expect(JSON.parse(text).runs[0].results[0].message.text).toContain("got [a] (https://b.test).");
  });

  it("the sarif report locates a finding at its first occurrence, and adds three related locations", () => {
    const { results, tool } = JSON.parse(write("sarif")).runs[0];
    const uri = "recordings/a%20b%2Cc%3Ad%25.json";
    const region = { startLine: 3, startColumn: 5 };
    const locations = [{ physicalLocation: { artifactLocation: { uri }, region } }];
    expect(results[0]).toMatchObject({ ruleId: "schema/required", level: "error", locations });
    expect(results[0].relatedLocations).toHaveLength(3);
    expect(
      results.map((each: { ruleIndex: number }) => tool.driver.rules[each.ruleIndex].id),
    ).toEqual(["schema/required", "undeclared/property"]);
  });

  it("the sarif report omits accepted findings, and notes unless they are requested", () => {
    const levelsOf = (text: string) =>
      JSON.parse(text).runs[0].results.map(({ level }: { level: string }) => level);
    expect(levelsOf(write("sarif"))).toEqual(["error", "warning"]);
    const withNotes = [...render("sarif", sample, { hasNotes: true })].join("");
    expect(levelsOf(withNotes)).toEqual(["error", "warning", "note"]);
  });
});

describe("junit", () => {
  it("the junit report shows each occurrence of a finding under its own exchange", () => {
    const xml = write("junit");
    expect(xml).toContain('name="site.har#1">\n<failure');
    expect(xml).toContain("site.har:1:90\nopenapi/catalogue.yaml:2:3\n");
    expect(xml).toContain('name="site.har#2">\n<skipped>\nno operation\n</skipped>');
  });

  it("the junit report has one failure for each exchange, with the number and the texts of all errors", () => {
    const [first] = sample.findings as [Finding];
    const others = ["x", "y"].map((fingerprint) => ({
      ...first,
      rule: `schema/${fingerprint}` as const,
      fingerprint,
    }));
    const findings = [first, ...others];
    const names = findings.map(({ fingerprint }) => fingerprint);
    const exchanges = [...sample.exchanges].map((each) => ({ ...each, findings: names }));
    const xml = write("junit", { ...sample, findings, exchanges });
    const found = xml.split("<testcase").find((each) => each.includes('name="site.har#1"'));
    expect(found!.match(/<failure/g)).toHaveLength(1);
    expect(found).toContain('message="3 errors; the first one: The property');
    for (const { rule } of findings) expect(found).toContain(`${rule}: The property`);
  });
});

describe("markdown", () => {
  it("the markdown report does not turn addresses into links", async () => {
    const actual = "see https://a.test/x, www.a.test, mailto:b@a.test and <http://c.test>";
    const text = write("markdown", withValue(actual));
    expect(text).toContain("a.test");
    expect(await marked(text)).not.toContain("<a ");
  });

  it("the markdown report does not turn dollar signs into formulas", () => {
    const text = write("markdown", withValue("$x$"));
    expect(text).toContain("| <span>$</span>x<span>$</span> |");
  });
});

describe("github", () => {
  it("the github report escapes a percent sign", () => {
    expect(write("github", withValue("100%0A"))).toContain("got 100%250A");
  });

  it("the github report has one command per line, even if file names and values contain special characters", () => {
    const lines = write("github").trimEnd().split("\n");
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) (\w+=[^:,]*,?)+::\S/);
    expect(lines[4]).toContain(
      "file=recordings/a b%2Cc%3Ad%25.json,line=3,col=5,title=schema/required::",
    );
  });
});

describe("pretty", () => {
  it("the pretty report has the same text with and without colors", () => {
    const colored = write("pretty", sample, true);
    expect(colored).toContain("\u001B[31m");
    expect(stripVTControlCharacters(colored)).toBe(write("pretty"));
  });
});
