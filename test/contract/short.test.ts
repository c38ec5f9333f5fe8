import { expect, it } from "vitest";
import { list, short } from "../../src/contract/engine/short.js";

it("never splits a surrogate pair when it cuts a long text", () => {
  for (const start of ["", "x"]) {
    const text = `${start}${"\u{1F3AC} ".repeat(99)}`;
    for (const shown of [short(text), list([text]), short(`${"x".repeat(99)}${text}`)]) {
      expect(shown).not.toMatch(/\p{Cs}|\\ud8/u);
      expect(shown.length).toBeLessThanOrEqual(80);
    }
  }
});
