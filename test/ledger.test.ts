import { describe, expect, it } from "vitest";
import { deref, description, type Schema } from "./support/description.js";
import {
  DOCUMENT,
  fieldRows,
  listedFields,
  section,
  sourceDocument,
  tableRows,
} from "./support/document.js";
import { families, sourceFields, sourceOperations, sourceRows } from "./support/ledger.js";
import { itWith } from "./support/shared.js";

describe("the description matches the ledger", () => {
  it("operations, in this order, with method, path, and schema", () => {
    const described = sourceOperations.map(({ method, path, operation }) => [
      operation.operationId,
      method.toUpperCase(),
      path,
      operation.responses["200"]!.content!["application/json"]!.schema.$ref?.split("/").at(-1),
    ]);
    expect(described).toEqual(sourceRows);
  });

  it("families, in this order, as tags", () => {
    const names = families.split(", ");
    const tags = description.tags.map(({ name }) => name);
    expect(tags.filter((name) => names.includes(name))).toEqual(names);
  });

  it.each(Object.entries(sourceFields))("the fields of %s, with their types", (name, rows) => {
    expect(fieldsOf(description.components.schemas[name]!)).toEqual(rows);
  });
});

describe("the ledger matches the source document", () => {
  itWith(DOCUMENT, "operations", () => {
    const rows = tableRows(section("Endpoints")).map(([, method, path]) => [method, path]);
    expect(sourceRows.map(([, method, path]) => [method, path])).toEqual(rows);
  });

  itWith(DOCUMENT, "families", () => {
    expect(sourceDocument()).toContain(`Resource families (tags) of the service: ${families}.`);
  });

  const lists: [heading: string, schema: string][] = [
    ["Movie summary", "MovieSummary"],
    ["TV summary", "TvSummary"],
    ["Person summary", "PersonSummary"],
    ["Movie detail", "MovieDetail"],
    ["List summary", "ListSummary"],
    ["Episode group", "EpisodeGroup"],
    ["Network\n", "Network"],
    ["Language\n", "Language"],
    ["Time zone entry", "TimeZoneEntry"],
    ["Genre\n", "Genre"],
    ["Image (episode still)", "Image"],
    ["Certification entry", "Certification"],
    ["Watch provider\n", "WatchProvider"],
  ];
  for (const [heading, schema] of lists) {
    itWith(DOCUMENT, `the fields of ${schema}`, () => {
      expect(fields(schema)).toEqual(listedFields(section(heading)).toSorted());
    });
  }

  for (const [heading, schema] of [
    ["Request token", "RequestToken"],
    ["Account", "Account"],
    ["Person translation", "PersonTranslation"],
  ] as const) {
    itWith(DOCUMENT, `the fields of ${schema}`, () => {
      const rows = tableRows(section(heading)).flatMap(([name, type]) => fieldRows(name!, type!));
      expect(fields(schema)).toEqual(rows.toSorted());
    });
  }

  itWith(DOCUMENT, "the fields of MovieTranslation, by reference to PersonTranslation", () => {
    const [data, language] = section("Movie translation").split("; plus ");
    expect(language).toMatch(/as for person translation\.$/);
    const shared = fields("PersonTranslation").filter((row) => !row.startsWith("data."));
    const own = fieldRows("data", data!.replace(/^data = /, ""));
    expect(fields("MovieTranslation")).toEqual([...own, ...shared].toSorted());
  });

  for (const [entry, schema] of [
    ["Cast entry", "MovieCastCredit"],
    ["Crew entry", "MovieCrewCredit"],
  ] as const) {
    itWith(DOCUMENT, `the fields of ${schema}, which extends MovieSummary`, () => {
      const pattern = new RegExp(`- ${entry}: movie summary fields plus (.*)`);
      const [, more] = pattern.exec(section("Credits"))!;
      const rows = [...fields("MovieSummary"), ...listedFields(more!)];
      expect(fields(schema)).toEqual(rows.toSorted());
    });
  }

  itWith(DOCUMENT, "the fields of WatchProviderCountry, whose arrays may be absent", () => {
    const text = section("Watch-provider country entry");
    const [, link, arrays] = /^(link .*) and any of the arrays (.*), each an array of watch/.exec(
      text,
    )!;
    const providers = arrays!
      .split(", ")
      .flatMap((name) => fields("WatchProvider").map((row) => `${name}?[].${row}`));
    const rows = [...listedFields(link!), ...providers];
    expect(fields("WatchProviderCountry")).toEqual(rows.toSorted());
  });

  itWith(DOCUMENT, "the fields of PopularPerson, whose media_type may be absent", () => {
    expect(section("Person summary")).toContain("results additionally carry known_for: an array");
    const shared = fields("PersonSummary").map((row) =>
      row.replace(/^media_type:/, "media_type?:"),
    );
    expect(fields("PopularPerson")).toEqual([...shared, "known_for: array"].toSorted());
  });

  itWith(DOCUMENT, "the page, alone and in every paged response", () => {
    const [, paged] = tableRows(section("Common envelopes"))[0]!;
    const page = listedFields(paged!).map((row) => row.replace("results: array", "results"));
    const withoutTotals = page.map((row) => row.replace(/^(total_\w+)/, "$1?"));
    expect(pageOf("PagedResult")).toEqual(page.toSorted());
    expect(pageOf("TrendingPeople")).toEqual(page.toSorted());
    expect(pageOf("MovieLists")).toEqual([...page, "id: integer"].toSorted());
    expect(pageOf("MultiSearchResults")).toEqual(withoutTotals.toSorted());
    expect(pageOf("PopularPeople")).toEqual(withoutTotals.toSorted());
  });

  itWith(DOCUMENT, "the status envelopes for failures and for the deletion", () => {
    const [, status] = tableRows(section("Common envelopes"))[1]!;
    const [always, onFailure] = status!.split("; an error example also carries ");
    const failure = listedFields(onFailure!).map((row) => row.replace("failure:", "failure?:"));
    const rows = listedFields(always!);
    expect(fields("ErrorStatus")).toEqual([...rows, ...failure].toSorted());
    expect(fields("DeletedStatus")).toEqual(rows.toSorted());
  });
});

function fields(schema: string): string[] {
  return sourceFields[schema]!.toSorted();
}

/** A page's fields, without its items' fields. */
function pageOf(schema: string): string[] {
  return [...new Set(fields(schema).map((row) => row.replace(/^results(:|\[\]).*/, "results")))];
}

/**
 * A schema's fields as `name: type` rows, in the same notation as `listedFields`. `?` follows the name of a field that
 * may be absent. `path` or `date` follows the type of a string that must have that form.
 */
function fieldsOf(schema: Schema, prefix = ""): string[] {
  const { allOf = [], required = [], properties = {} } = deref(schema);
  return [
    ...allOf.flatMap((part) => fieldsOf(part, prefix)),
    ...Object.entries(properties).flatMap(([name, property]) =>
      rowsOf(`${prefix}${name}${required.includes(name) ? "" : "?"}`, deref(property)),
    ),
  ];
}

function rowsOf(name: string, schema: Schema): string[] {
  const { type = "any", properties, items } = schema;
  if (properties) {
    const own = type === "object" ? [] : [`${name}: ${[type].flat().join("|")}`];
    return [...own, ...fieldsOf(schema, `${name}.`)];
  }
  if (!items) return [`${name}: ${[type].flat().join("|")}${formOf(schema)}`];
  const item = deref(items);
  if (item.properties) return fieldsOf(item, `${name}[].`);
  return [`${name}: ${item.type === undefined ? "array" : `${String(item.type)}[]`}`];
}

function formOf({ pattern }: Schema): string {
  if (typeof pattern !== "string") return "";
  const accepts = (text: string) => new RegExp(pattern, "u").test(text);
  if (accepts("/a.jpg") && !accepts("a.jpg") && !accepts("")) return " path";
  if (accepts("2025-12-31") && accepts("") && !accepts("31.12.2025")) return " date";
  return "";
}
