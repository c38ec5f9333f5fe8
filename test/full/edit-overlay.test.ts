import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { formatted } from "../../scripts/generate/generate-files.js";
import { editOverlay } from "../../scripts/overlay/edit-overlay.js";
import type { Action, FactProvenance, Overlay } from "../../scripts/overlay/overlay.js";
import { root } from "../support/paths.js";

const fact: FactProvenance = {
  fact: "New.",
  sources: ["s/t"],
  exchanges: 3,
  first: "2026-09-01",
  seen: "2026-09-14",
};
const added: Action[] = [
  { target: "$.a.type", remove: true, "x-observed": fact },
  { target: "$.a", update: { type: ["string", "null"] }, "x-observed": fact },
];

/** An overlay with comments and blank lines in unusual places. */
const odd = `# first line

overlay: 1.1.0   # version
info:
  # about the date
  x-as-of: '2026-08' # as of
  title: "x"
actions: # the actions
  # one
  - target: $.components.schemas.MovieSummary   # where
    # before the update
    update: # what
      properties:
        softcore: { description: "A.",   type: boolean } # flow

    x-observed: &one # why
      fact: One.
      # about the sources
      sources:
        - a/b:c # first source
        # between
        - d/e:f
      first: "2026-05"
      # before the date
      seen: "2026-08" # latest
  - target: $.x
    remove: true
    x-observed: *one
  # two

  - { target: $.y, remove: true, x-observed: { fact: Two., sources: [a/b], first: "2026", seen: "2026" } }
      # after the last action
  # end
x-more: 1
# last line
`;

/** Returns the provenance of each fact in an overlay, with a later date and an additional source. */
function renewFacts(text: string): Map<string, FactProvenance> {
  const facts = (parse(text) as Overlay).actions.map((each) => each["x-observed"]);
  return new Map(
    facts.map((each) => [
      each.fact,
      {
        ...each,
        sources: ["new/source: of text", ...each.sources],
        seen: "2026-09-14",
        exchanges: 4,
      },
    ]),
  );
}

it("`editOverlay` updates dates, counts, and sources, appends new actions, and keeps comments and all other content", () => {
  const renewed = renewFacts(odd);
  const before = parse(odd) as Overlay;
  const edited = editOverlay(odd, added, renewed);
  const actions = before.actions.map((each) => ({
    ...each,
    "x-observed": renewed.get(each["x-observed"].fact)!,
  }));
  expect(parse(edited)).toEqual({
    ...before,
    info: { ...before.info, "x-as-of": "2026-09" },
    actions: [...actions, ...added],
  });
  for (const comment of odd.match(/# .*/g)!) expect(edited).toContain(comment);
});

it("`editOverlay` changes only the affected lines of the project's overlay", async () => {
  const file = "openapi/full.overlay.yaml";
  const text = readFileSync(join(root, file), "utf8");
  const [[seen, provenance]] = [...renewFacts(text)] as [[string, FactProvenance]];
  const edited = await formatted(file, editOverlay(text, added, new Map([[seen, provenance]])));
  const lines = new Set(edited.split("\n"));
  const lost = text.split("\n").filter((line) => !lines.has(line));
  expect(lost).toEqual(['  x-as-of: "2026-08"']);
  expect(edited.split("\n").length - text.split("\n").length).toBe(17);
});

it("`editOverlay` changes nothing if there are no new actions or dates", () => {
  const file = readFileSync(join(root, "openapi/full.overlay.yaml"), "utf8");
  for (const text of [odd, file]) expect(editOverlay(text, [], new Map())).toBe(text);
});

it.each([
  ["an empty list", "actions: []\n"],
  ["an empty list on its own line", "actions:\n  []\n# end\n"],
  [
    "a list without indentation",
    "actions:\n- target: $.x\n  x-observed: {fact: F, sources: [a], first: '2020', seen: '2020'}\n\n# end\n",
  ],
  [
    "a list without a line break at the end",
    "actions:\n    - target: $.x\n      x-observed: {fact: F, sources: [a], first: '2020', seen: '2020'}",
  ],
])("`editOverlay` appends actions to %s", (_, actions) => {
  const text = `info: { x-as-of: "2026-01" }\n${actions}`;
  const edited = editOverlay(text, added, new Map());
  const before = ((parse(text) as Overlay).actions ?? []).length;
  expect((parse(edited) as Overlay).actions.slice(before)).toEqual(added);
  for (const comment of text.match(/# .*/g) ?? []) expect(edited).toContain(comment);
});

it("`editOverlay` rejects an overlay in which two facts share their sources through a YAML alias", () => {
  const shared = odd
    .replace("sources: [a/b]", "sources: *sources")
    .replace("sources:\n", "sources: &sources\n");
  expect(() => editOverlay(shared, [], new Map([...renewFacts(shared)].slice(0, 1)))).toThrow(
    "the overlay cannot be edited; write the sources of each fact in full instead of a YAML alias",
  );
});
