import { expect, test } from "vitest";
import { createRedactor, redactJson } from "../../src/client/redact.js";
import { parseJsonOrText } from "../../src/client/text.js";
import { clientOf, rejection, skipPauses, TOKEN } from "../support/server.js";

const BODIES: [name: string, create: (size: number) => string][] = [
  ["a string with escaped quotation marks", (size) => JSON.stringify('"'.repeat(size))],
  ["a string of backslashes", (size) => JSON.stringify("\\".repeat(size))],
  ["an unfinished string with escapes", (size) => `"${'\\"'.repeat(size)}`],
  ["escapes that are not JSON", (size) => "\\x\\u00".repeat(size / 4)],
  ["text that is escaped again and again", (size) => `\\${"u005c".repeat(size / 5)}`],
  ["the start of the token", (size) => TOKEN.slice(0, -1).repeat(size / TOKEN.length)],
  ["the escaped token", (size) => `${TOKEN.replace("c", "\\u0063")} `.repeat(size / 25)],
  [
    "the token with escaped hyphens",
    (size) => `${TOKEN.replaceAll("-", "\\u002d")} `.repeat(size / 25),
  ],
  ["quotation marks", (size) => '"'.repeat(size)],
  ["digits", (size) => "1".repeat(size)],
  ["numbers", (size) => `[${"-1.5e3,".repeat(size / 7)}0]`],
  ["property names", (size) => `{${'"a long name":1,'.repeat(size / 16)}"b":1}`],
  ["nested arrays", (size) => "[".repeat(size / 2) + "]".repeat(size / 2)],
  ["spaces and digits", (size) => " 1994".repeat(size / 5)],
  ["HTML", (size) => "<p>bad gateway</p>".repeat(size / 18)],
];

// Symptom: redacting a string with 150,000 escapes took 18 s, which no timeout could interrupt.
test.each(BODIES)("the time to redact %s grows in proportion to the size", (_, create) => {
  const redact = createRedactor([TOKEN]);
  const duration = (size: number) => {
    const text = create(size);
    // Measures the processor's time, which does not depend on what else the machine does.
    const rounds = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      redactJson(parseJsonOrText(text), redact);
      return millisecondsSince(start);
    });
    return Math.min(...rounds);
  };
  // Redacting quadratically would take 256 times as long. The millisecond makes up for small sizes that take no time.
  expect(duration(800_000)).toBeLessThan(128 * (duration(50_000) + 1));
});

// Symptom: redacting a megabyte of hyphens took 15 s, and a megabyte of letters 0.2 s.
test("the time to search for a secret does not depend on the secret's characters", () => {
  const durationOf = (character: string) => {
    const redact = createRedactor([character.repeat(500)]);
    const text = `${character.repeat(499)}b`.repeat(400);
    const rounds = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      redact(text);
      return millisecondsSince(start);
    });
    return Math.min(...rounds);
  };
  expect(durationOf("-")).toBeLessThan(16 * (durationOf("a") + 1));
});

test.each<[header: string, create: (size: number) => string]>([
  ["retry-after", (size) => "1.".repeat(size)],
  ["retry-after", (size) => `:${" 1994".repeat(size)}x`],
  ["retry-after", (size) => `${"1,".repeat(size)}:`],
  ["content-type", (size) => " ;\x80".repeat(size)],
  ["location", (size) => "/..".repeat(size)],
])("the time to read a long %s header grows in proportion to its size", async (name, create) => {
  skipPauses();
  const durationOf = async (size: number) => {
    const headers = { [name]: create(size) };
    const fetch = async () =>
      new Response("<", { status: name === "content-type" ? 200 : 503, headers });
    const { movies } = clientOf({ url: "https://catalogue.example" }, { fetch, retries: 1 });
    const rounds: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = process.cpuUsage();
      await rejection(movies.latest());
      rounds.push(millisecondsSince(start));
    }
    return Math.min(...rounds);
  };
  expect(await durationOf(400_000)).toBeLessThan(128 * ((await durationOf(25_000)) + 1));
});

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
