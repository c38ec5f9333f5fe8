import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { render } from "../../../src/contract/report/formats.js";
import { HOSTILE, sample } from "./sample.js";

const page = render("html", sample, false);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

describe("the HTML page", () => {
  it("loads nothing external, and runs no scripts", () => {
    expect(page).not.toMatch(
      /<(script|link|img|iframe|base|form)\b|\bsrc=|\bhref=|url\(|@import|\son\w+=/i,
    );
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("shows recorded markup as plain text", () => {
    expect(HOSTILE).toContain("<script>");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it.skipIf(!executablePath)(
    "fits a viewport of 390 px, makes no requests and runs no scripts",
    async () => {
      const browser = await chromium.launch({
        executablePath: executablePath!,
        args: ["--no-sandbox"],
      });
      try {
        for (const colorScheme of ["light", "dark"] as const) {
          const tab = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme });
          const seen: string[] = [];
          tab.on("request", (request) => seen.push(request.url()));
          tab.on("console", (message) => seen.push(message.text()));
          tab.on("dialog", (dialog) => seen.push(dialog.message()));
          await tab.setContent(page);
          const wide =
            "...[...document.querySelectorAll('.wide')].map((each) => each.scrollWidth - each.clientWidth)";
          const overflow = `Math.max(document.documentElement.scrollWidth - 390, ${wide})`;
          expect(await tab.evaluate(overflow)).toBe(0);
          const background = await tab.evaluate("getComputedStyle(document.body).backgroundColor");
          expect(background).toBe(
            colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(22, 24, 28)",
          );
          expect(seen).toEqual([]);
        }
      } finally {
        await browser.close();
      }
    },
  );
});
