import { expect, it } from "vitest";
import { list, short } from "../../src/contract/engine/short.js";

it("keeps no half of a letter that is two units, wherever a long text is cut", () => {
  for (const start of ["", "x"]) {
    const text = `${start}${"\u{1F3AC} ".repeat(99)}`;
    for (const shown of [short(text), list([text]), short(`${"x".repeat(99)}${text}`)]) {
      expect(shown).not.toMatch(/\p{Cs}|\\ud8/u);
      expect(shown.length).toBeLessThanOrEqual(80);
    }
  }
});
