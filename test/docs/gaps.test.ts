import { beforeAll, expect, it } from "vitest";
import { clientBehaviour, coveredGaps } from "../../scripts/docs/client-behaviour.js";
import { shownDescription } from "../../scripts/docs/description.js";
import gaps from "../gaps.json" with { type: "json" };
import { get } from "../support/pointer.js";
import { root } from "../support/paths.js";
import { operations } from "../support/description.js";

let shown: Awaited<ReturnType<typeof shownDescription>>;
beforeAll(async () => {
  shown = await shownDescription(root, "7.8.9");
});

/** What the list says under a gap. */
function entryOf(id: string): string {
  const [, rest] = shown.info.description.split(`<h3 id="${id.toLowerCase()}">${id}</h3>`);
  return rest!.split("<h3")[0]!;
}

it("each gap is told where it stands, with what the client does about it, and no mark is left raw", () => {
  for (const { id, text, places } of gaps) {
    for (const place of places.filter((each) => each !== "#")) {
      const { description } = get(shown, place) as { description: string };
      const link = `[${id}](#/section/what-this-description-does-not-know#${id.toLowerCase()})`;
      expect(description, `${id} ${place}`).toContain(
        `> **Not specified** (${link}): ${text}. ${clientBehaviour(id)}`,
      );
    }
  }
  expect(JSON.stringify(shown)).not.toContain('"x-not-specified"');
});

it("a gap of a schema whose description is not shown is told at the field or the body that has it", () => {
  const at = (pointer: string) => (get(shown, pointer) as { description: string }).description;
  const response = (path: string) => `#/paths/${path.replaceAll("/", "~1")}/get/responses/200`;
  expect(at(response("/3/search/multi"))).toContain("[G13]");
  expect(at(response("/3/person/{person_id}/combined_credits"))).toContain("[G14]");
  expect(at("#/components/schemas/MovieChanges/properties/changes")).toContain("[G03]");
  expect(at("#/components/schemas/PagedResult/properties/results")).toContain("[G02]");
  expect(at("#/components/schemas/CombinedCredits/properties/cast")).toContain("[G04]");
  expect(at(response("/3/movie/latest"))).not.toContain("Not specified");
});

it("the list says of each gap what it is, where it applies and what the client does about it", () => {
  expect(coveredGaps).toEqual(gaps.map(({ id }) => id));
  for (const { id, text } of gaps) {
    expect(entryOf(id)).toContain(`\n${text}.\n`);
    expect(entryOf(id)).toMatch(/^- Applies to (?!nothing).+\.$/m);
    expect(entryOf(id)).toContain(`- ${clientBehaviour(id)}`);
  }
});

it("the list links every operation that reaches a mark, or says which it leaves out", () => {
  const linked = (id: string) => entryOf(id).match(/(?<=\[)\w+\.\w+(?=\]\()/g) ?? [];
  expect(linked("G02")).toEqual(["account.ratedMovies", "account.favoriteTv"]);
  expect(linked("G05")).toEqual(["trending.people", "search.multi", "people.popular"]);
  expect(linked("G16")).toEqual(["authentication.convertV4Session"]);
  expect(entryOf("G12")).toContain(
    "every operation but [account.details](#/account/account.details)",
  );
  for (const id of ["G15", "G18", "G19"])
    expect(entryOf(id)).toContain("Applies to every operation.");
  for (const id of ["G01", "G17", "G20", "G21"])
    expect(entryOf(id)).toContain("the description as a whole");
});

it("the text links the gaps and operations that it names, and says both versions", () => {
  const { description, version } = shown.info;
  expect(description).toContain(`Description ${version} · package \`media-catalogue\` 7.8.9 · `);
  expect(description).toContain("[TypeScript reference](./client/index.html)");
  expect(description).toContain("([G07](#/section/what-this-description-does-not-know#g07))");
  expect(description).toContain("[`movies.deleteRating`](#/movies/movies.deleterating)");
  const [before] = description.split("## What this description does not know");
  expect(before!.replaceAll(/\[G\d\d\]/g, "")).not.toMatch(/\bG\d\d\b/);
});

it("only the families that have an operation are listed", () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags));
  expect(new Set(shown.tags.map(({ name }) => name))).toEqual(used);
});
