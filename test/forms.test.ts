import { describe, expect, it } from "vitest";
import { recordings } from "./support/recordings.js";
import { bodyPointer, responsePointer } from "./support/responses.js";
import { validatorAt } from "./support/validators.js";

const anything = [null, 0, 0.5, "", "text", true, [], [null], {}, { any: { thing: [] } }];
const dates = ["", "1999-03-31", "2025-12-01"];
const noDates = [
  null,
  "1999",
  "1999-3-31",
  "31.03.1999",
  "1999-13-01",
  "1999-03-32",
  "1999-03-31Z",
];
const noPaths = ["", "a.jpg", "https://images.example/a.jpg", 7];
const providers = (country: object) => ({ id: 603, results: { DE: country } });
const link = "https://catalogue.example/movie/603/watch";
const status = { status_code: 99, status_message: "Words." };

/** Places below components/schemas, with values that they take and values that they refuse. */
const FORMS: [place: string, takes: unknown[], refuses: unknown[]][] = [
  ["MovieSummary/properties/release_date", dates, noDates],
  ["MovieDetail/properties/release_date", dates, noDates],
  ["TvSummary/properties/first_air_date", dates, noDates],
  [
    "RequestToken/properties/expires_at",
    ["2026-01-15 18:30:00 UTC"],
    [
      null,
      "",
      "2026-01-15",
      "2026-01-15 18:30:00",
      "2026-01-15T18:30:00Z",
      "2026-01-15 24:30:00 UTC",
    ],
  ],
  ...[
    "Account/properties/avatar/properties/tmdb/properties/avatar_path",
    "MovieSummary/properties/backdrop_path",
    "MovieSummary/properties/poster_path",
    "TvSummary/properties/backdrop_path",
    "TvSummary/properties/poster_path",
    "PersonSummary/properties/profile_path",
    "PopularPerson/properties/profile_path",
    "MovieDetail/properties/backdrop_path",
    "MovieDetail/properties/poster_path",
    "ListSummary/properties/poster_path",
    "EpisodeGroup/properties/network/properties/logo_path",
    "Network/properties/logo_path",
  ].map((place): [string, unknown[], unknown[]] => [place, [null, "/a.jpg"], noPaths]),
  ["Image/properties/file_path", ["/a.jpg"], [null, ...noPaths]],
  ["WatchProvider/properties/logo_path", ["/a.jpg"], [null, ...noPaths]],
  [
    "TimeZoneEntry/properties/zones",
    [[], ["Europe/Andorra"], ["America/Argentina/Ushuaia", "Asia/Tokyo"]],
    [null, [null], ["Andorra"], ["Europe/"], ["/Andorra"]],
  ],
  [
    "MovieCertifications/properties/certifications",
    [{}, { US: [] }, { "CA-QC": [], CA: [] }],
    [null, [], { us: [] }, { USA: [] }, { "CA-Q": [] }, { US: {} }, { US: [{}] }],
  ],
  [
    "MovieWatchProviders",
    [{ id: 603, results: {} }, providers({ link })],
    [
      { id: 603, results: [] },
      { id: 603, results: { de: { link } } },
      { id: 603, results: { "CA-QC": { link } } },
      providers({}),
      providers({ link: "no address" }),
      providers({ link, buy: [] }),
      providers({ link, ads: null }),
    ],
  ],
  [
    "ErrorStatus",
    [
      { success: false, ...status },
      { success: false, failure: true, ...status },
    ],
    [status, { success: true, ...status }, { success: false, failure: false, ...status }],
  ],
  [
    "DeletedStatus",
    [{ success: true, ...status }],
    [status, { success: false, ...status }, { success: true, failure: true, ...status }],
  ],
  ["MovieDetail/properties/status", ["Released", "Rumored", ""], [null, 1]],
  ["PersonSummary/properties/gender", [0, 1, 2, 3], [null, "1", 0.5]],
  ["PathIdentifier", [603, "603", "week"], [null, true, 0.5]],
];

describe("takes and refuses, in the form that the document gives:", () => {
  it.each(FORMS)("%s", (place, takes, refuses) => {
    const validate = validatorAt(`#/components/schemas/${place}`);
    for (const value of takes) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of refuses) expect(validate(value), JSON.stringify(value)).toBe(false);
  });
});

describe("takes anything where the document shows nothing:", () => {
  it.each([
    "AccountItem",
    "Change",
    "ConvertV4SessionResult",
    "MovieDetail/properties/belongs_to_collection",
    "MovieDetail/properties/production_companies/items",
    "MovieDetail/properties/production_countries/items",
  ])("%s", (place) => {
    const validate = validatorAt(`#/components/schemas/${place}`);
    for (const value of anything) expect(validate(value), JSON.stringify(value)).toBe(true);
  });

  it.each(["CastCredit", "CrewCredit"])("%s that is not of a movie", (name) => {
    const validate = validatorAt(`#/components/schemas/${name}`);
    expect(validate({ media_type: "tv" })).toBe(true);
    for (const value of anything) expect(validate({ media_type: "tv", id: value })).toBe(true);
    for (const media_type of [undefined, null, 1, "movie"])
      expect(validate({ media_type })).toBe(false);
  });
});

it("bears fields that nobody described, in every object of every recording", () => {
  for (const { name, operation, response } of recordings) {
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    expect(validate(withMore(response.body)), name).toBe(true);
  }
});

/** A copy with a field more in every object, but for those whose keys are codes. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withMore(each)] as const);
  const isMap = entries.every(([key]) => /^[A-Z]{2}(-[A-Z]{2})?$/.test(key));
  return { ...Object.fromEntries(entries), ...(isMap ? {} : { not_described: [null] }) };
}
