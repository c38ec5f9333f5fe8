import { expect, it } from "vitest";
import { chartOf } from "../../bench/chart.js";

it("the benchmark chart shows each value as text and as a bar, in both themes", () => {
  const bars = [
    { name: "openapi-fetch", rate: 2000.4 },
    { name: "media-catalogue", rate: 1000 },
  ];
  const svg = chartOf(new Map([[50, bars]]), "two cores");
  expect(svg).toContain(">2000 calls/s</text>");
  expect(svg).toContain("50 at a time: openapi-fetch 2000, media-catalogue 1000. two cores.");
  expect(svg).toContain("prefers-color-scheme: dark");
  // Even a long name starts inside the chart.
  for (const [, x] of svg.matchAll(/<text [^>]*x="(-?\d+)"/g)) expect(Number(x)).toBeGreaterThan(0);
  expect(svg).not.toContain("text-anchor");
  const [whole, half] = [...svg.matchAll(/<rect class="(?:ours|other)" [^>]* width="(\d+)"/g)];
  expect(Number(half![1]) / Number(whole![1])).toBeCloseTo(0.5, 2);
});
