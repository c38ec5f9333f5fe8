import { describe, expect, it } from "vitest";
import { exampleResponses } from "./support/example-responses.js";
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
const noTimes = [null, "", "2026-01-15", "2026-01-15T18:30:00Z", "2026-01-15 24:30:00 UTC"];
const paths = [null, "/a.jpg"];
const noPaths = ["", "a.jpg", "https://images.example/a.jpg", 7];
const providers = (country: object) => ({ id: 603, results: { DE: country } });
const link = "https://catalogue.example/movie/603/watch";
const status = { status_code: 99, status_message: "Words." };

/** Places under components/schemas, with accepted and rejected values. */
const forms: [place: string, accepts: unknown[], rejects: unknown[]][] = [
  ["MovieSummary/properties/release_date", dates, noDates],
  ["MovieDetail/properties/release_date", dates, noDates],
  ["TvSummary/properties/first_air_date", dates, noDates],
  ["RequestToken/properties/expires_at", ["2026-01-15 18:30:00 UTC"], noTimes],
  ["Account/properties/avatar/properties/tmdb/properties/avatar_path", paths, noPaths],
  ["MovieSummary/properties/backdrop_path", paths, noPaths],
  ["MovieSummary/properties/poster_path", paths, noPaths],
  ["TvSummary/properties/backdrop_path", paths, noPaths],
  ["TvSummary/properties/poster_path", paths, noPaths],
  ["PersonSummary/properties/profile_path", paths, noPaths],
  ["PopularPerson/properties/profile_path", paths, noPaths],
  ["MovieDetail/properties/backdrop_path", paths, noPaths],
  ["MovieDetail/properties/poster_path", paths, noPaths],
  ["ListSummary/properties/poster_path", paths, noPaths],
  ["EpisodeGroup/properties/network/properties/logo_path", paths, noPaths],
  ["Network/properties/logo_path", paths, noPaths],
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
      ...[{}, { link: "no address" }, { link, buy: [] }, { link, ads: null }].map(providers),
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
  // The document does not show these.
  ["AccountItem", anything, []],
  ["Change", anything, []],
  ["ConvertV4SessionResult", anything, []],
  ["MovieDetail/properties/belongs_to_collection", anything, []],
  ["MovieDetail/properties/production_companies/items", anything, []],
  ["MovieDetail/properties/production_countries/items", anything, []],
  ...["CastCredit", "CrewCredit"].map((name): [string, unknown[], unknown[]] => [
    name,
    [{ media_type: "tv" }, ...anything.map((id) => ({ media_type: "tv", id }))],
    [undefined, null, 1, "movie"].map((media_type) => ({ media_type })),
  ]),
];

describe("the description accepts and rejects the same values as the document:", () => {
  it.each(forms)("%s", (place, accepts, rejects) => {
    const validate = validatorAt(`#/components/schemas/${place}`);
    for (const value of accepts) expect(validate(value), JSON.stringify(value)).toBe(true);
    for (const value of rejects) expect(validate(value), JSON.stringify(value)).toBe(false);
  });
});

it("accepts undeclared fields in every object of every example response", () => {
  for (const { name, operation, response } of exampleResponses) {
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    expect(validate(withMore(response.body)), name).toBe(true);
  }
});

/** A copy with an extra field in every object, except in maps, whose keys are codes. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withMore(each)] as const);
  const isMap = entries.every(([key]) => /^[A-Z]{2}(-[A-Z]{2})?$/.test(key));
  return { ...Object.fromEntries(entries), ...(isMap ? {} : { not_described: [null] }) };
}
