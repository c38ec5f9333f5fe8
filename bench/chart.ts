/** A bar of the chart. */
export interface Bar {
  name: string;
  /** Calls per second. */
  rate: number;
}

/** The width of the chart in pixels. In a wider chart, the text would be too small on a phone. */
const WIDTH = 480;
const LEFT = 16;
const ROW = 44;
const GAP = 40;

/**
 * Draws a bar chart of throughput as SVG, with a group of bars for each number of concurrent calls. The colors follow
 * the device's light or dark theme.
 */
export function chartOf(groups: ReadonlyMap<number, readonly Bar[]>, note: string): string {
  const longest = Math.max(...[...groups.values()].flat().map(({ rate }) => rate));
  const parts: string[] = [];
  let y = 56;
  for (const [concurrency, bars] of groups) {
    const title = concurrency === 1 ? "one call at a time" : `${concurrency} calls at a time`;
    parts.push(`<text class="title" x="${LEFT}" y="${y}">${title}</text>`);
    for (const { name, rate } of bars) {
      y += ROW;
      const length = Math.round((rate / longest) * (WIDTH - LEFT - 108));
      parts.push(
        `<text x="${LEFT}" y="${y - 17}">${name}</text>`,
        `<rect class="${name.startsWith("media-catalogue") ? "ours" : "other"}" x="${LEFT}" y="${y - 10}" width="${length}" height="16" rx="3"/>`,
        `<text x="${LEFT + length + 8}" y="${y + 3}">${Math.round(rate)} calls/s</text>`,
      );
    }
    y += GAP;
  }
  const values = [...groups].map(([concurrency, bars]) => {
    const texts = bars.map(({ name, rate }) => `${name} ${Math.round(rate)}`);
    return `${concurrency} at a time: ${texts.join(", ")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 8}" viewBox="0 0 ${WIDTH} ${y + 8}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="14">
<title id="title">Calls per second to a server on loopback</title>
<desc id="desc">${values.join("; ")}. ${note}.</desc>
<style>
.paper { fill: #ffffff; }
text { fill: #1f2328; }
.title { font-weight: 600; }
.note { fill: #57606a; font-size: 12px; }
.ours { fill: #0969da; }
.other { fill: #8c959f; }
@media (prefers-color-scheme: dark) {
.paper { fill: #22242b; }
text { fill: #f2f3f5; }
.note { fill: #b4b9c4; }
.ours { fill: #6cb2ff; }
.other { fill: #7d8590; }
}
</style>
<rect class="paper" width="${WIDTH}" height="${y + 8}" rx="8"/>
<text class="title" x="${LEFT}" y="28" font-size="16">Calls per second to a server on loopback</text>
${parts.join("\n")}
<text class="note" x="${LEFT}" y="${y - 8}">${note}</text>
</svg>
`;
}
