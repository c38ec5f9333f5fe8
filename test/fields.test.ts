import { describe, expect, it } from "vitest";
import ledger from "./fields.json" with { type: "json" };
import { description } from "./support/description.js";
import { DOCUMENT, fieldRows, listedFields, section, tableRows } from "./support/document.js";
import { fieldsOf } from "./support/fields.js";
import { itWith } from "./support/shared.js";

/** Sections of the source document that are one list of fields, and the component that is written from each. */
const LISTS: Record<string, string> = {
  "Movie summary": "MovieSummary",
  "TV summary": "TvSummary",
  "Person summary": "PersonSummary",
  "Movie detail": "MovieDetail",
  "List summary": "ListSummary",
  "Episode group": "EpisodeGroup",
  "Network\n": "Network",
  "Language\n": "Language",
  "Time zone entry": "TimeZoneEntry",
  "Genre\n": "Genre",
  "Image (episode still)": "Image",
  "Certification entry": "Certification",
  "Watch provider\n": "WatchProvider",
};

const TABLES: Record<string, string> = {
  "Request token": "RequestToken",
  Account: "Account",
  "Person translation": "PersonTranslation",
};

it("the fields of every component are those of the ledger, with their types", () => {
  const described = Object.entries(description.components.schemas).map(
    ([name, schema]) => [name, fieldsOf(schema)] as const,
  );
  expect(Object.fromEntries(described.filter(([, rows]) => rows.length > 0))).toEqual(ledger);
});

describe("the fields of a component are those of the source document, with their types", () => {
  for (const [heading, component] of Object.entries(LISTS)) {
    itWith(DOCUMENT, component, () => {
      expect(fields(component)).toEqual(sorted(listedFields(section(heading))));
    });
  }

  for (const [heading, component] of Object.entries(TABLES)) {
    itWith(DOCUMENT, component, () => {
      const rows = tableRows(section(heading)).flatMap(([name, type]) => fieldRows(name!, type!));
      expect(fields(component)).toEqual(sorted(rows));
    });
  }

  itWith(DOCUMENT, "MovieTranslation, by reference to the person translation", () => {
    const [data, language] = section("Movie translation").split("; plus ");
    expect(language).toMatch(/as for person translation\.$/);
    expect(fields("MovieTranslation")).toEqual(
      sorted([
        ...fieldRows("data", data!.replace(/^data = /, "")),
        ...fields("PersonTranslation").filter((row) => !row.startsWith("data.")),
      ]),
    );
  });

  for (const [entry, component] of [
    ["Cast entry", "MovieCastCredit"],
    ["Crew entry", "MovieCrewCredit"],
  ] as const) {
    itWith(DOCUMENT, `${component}, the movie summary and more`, () => {
      const [, more] = new RegExp(`- ${entry}: movie summary fields plus (.*)`).exec(
        section("Credits"),
      )!;
      expect(fields(component)).toEqual(
        sorted([...fields("MovieSummary"), ...listedFields(more!)]),
      );
    });
  }

  itWith(DOCUMENT, "WatchProviderCountry, whose arrays may be absent", () => {
    const [, link, arrays] = /^(link .*) and any of the arrays (.*), each an array of watch/.exec(
      section("Watch-provider country entry"),
    )!;
    const providers = arrays!
      .split(", ")
      .flatMap((name) => fields("WatchProvider").map((row) => `${name}?[].${row}`));
    expect(fields("WatchProviderCountry")).toEqual(sorted([...listedFields(link!), ...providers]));
  });

  itWith(DOCUMENT, "PopularPerson, whose media_type may be absent", () => {
    expect(section("Person summary")).toContain("results additionally carry known_for: an array");
    expect(fields("PopularPerson")).toEqual(
      sorted([
        ...fields("PersonSummary").map((row) => row.replace(/^media_type:/, "media_type?:")),
        "known_for: array",
      ]),
    );
  });

  itWith(DOCUMENT, "the paged result, alone and in every response that is paged", () => {
    const [, paged] = tableRows(section("Common envelopes"))[0]!;
    const envelope = listedFields(paged!).map((row) => row.replace("results: array", "results"));
    const optional = envelope.map((row) => row.replace(/^(total_\w+)/, "$1?"));
    expect(envelopeOf("PagedResult")).toEqual(sorted(envelope));
    expect(envelopeOf("TrendingPeople")).toEqual(sorted(envelope));
    expect(envelopeOf("MovieLists")).toEqual(sorted([...envelope, "id: integer"]));
    expect(envelopeOf("MultiSearchResults")).toEqual(sorted(optional));
    expect(envelopeOf("PopularPeople")).toEqual(sorted(optional));
  });

  itWith(DOCUMENT, "the status envelope of a failure, and of a deletion without `failure`", () => {
    const [, status] = tableRows(section("Common envelopes"))[1]!;
    const [always, failure] = status!.split("; an error example also carries ");
    const rows = sorted([
      ...listedFields(always!),
      ...listedFields(failure!).map((row) => row.replace("failure:", "failure?:")),
    ]);
    expect(fields("ErrorStatus")).toEqual(rows);
    expect(fields("DeletedStatus")).toEqual(sorted(listedFields(always!)));
  });
});

function fields(component: string): string[] {
  const schema = description.components.schemas[component];
  if (!schema) throw new Error(`no component ${component}`);
  return sorted(fieldsOf(schema));
}

/** The fields of a page itself, without those of its items. */
function envelopeOf(component: string): string[] {
  return [...new Set(fields(component).map((row) => row.replace(/^results(:|\[\]).*/, "results")))];
}

function sorted(rows: string[]): string[] {
  return rows.toSorted();
}
