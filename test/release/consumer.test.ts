import { expect, it } from "vitest";
import { findings, show } from "./consumer.js";

it("the app that every release has to compile runs against the sandbox", async () => {
  const shown = await show();
  expect(shown).toContain("movies.deleteRating 400 5 object");
  expect(shown.length).toBeGreaterThan(5);
  expect(findings()).toEqual([expect.stringMatching(/^surface\/\S+ movies\.latest .+/)]);
});
