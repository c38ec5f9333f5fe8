import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { passagesOf } from "../scripts/prose/passages.js";
import { root } from "./support/paths.js";

/** Phrasings that make a native speaker stop, with the usual replacement. */
const BANNED: readonly [RegExp, string][] = [
  [/\b(?:an?|the|each|every|no|this|that|its?|whose) answers?\b/i, "response"],
  [/\banswer(?:s|ed)? (?:with|by|to)\b/i, "responds with, returns"],
  [/\b(?:un)?judg(?:e[sd]?|ing|ment)\b/i, "check, validate"],
  [/\bstand-?ins?\b/i, "placeholder"],
  [/\bsurface\b/i, "HTTP status and headers"],
  [/(?:^|[.:;] )What (?![^.?]*\?)[^.]*\./, "a concrete noun instead of a fronted what-clause"],
  [/\bof (?:which|whom)\b/i, "a relative clause"],
  [/\bbe it\b/i, "whether"],
  [/\bwhat is (?:no|none|not)\b/i, "anything that is not"],
  [
    /(?<!there )(?<!which )\b(?:is|are|was|were) no (?!longer|more|less|other|different|fewer)[a-z]/i,
    "is not a",
  ],
  [/(?<!there )\b(?:is|are|be) none\b/i, "does not exist, is not one"],
  [/\bword for word\b/i, "verbatim, not redacted"],
  [/\blets? go of\b/i, "cancel, release"],
  [/\bsent (?:once )?again\b/i, "retried"],
  [/\bas it comes\b|\bcomes? as it is\b/i, "unchanged"],
  [/\b(?:is|are|be) to be had\b/i, "is available"],
  [/\bheld against\b/i, "compared with"],
  [
    /\b(?:one|an?) (?:file|suite|class|line|row|item|line) (?:an?|each) (?:operation|case|line|item|exchange)\b/i,
    "one … per …",
  ],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bgood for\b.*\bthereof\b|\bthereof\b|\bwhereof\b|\btherein\b|\bthereby\b/i, "plain words"],
  [/\bwhere (?:it|they|that|this) (?:is|are) (?:not|no|none|due|absent)\b/i, "if"],
  [/\b(?:also|even) where\b/i, "even if"],
  [/\bso that no\b/i, "so … cannot"],
  [/\bnobody (?:reads|describes?d?|asked|waits)\b/i, "unread, undeclared, unused"],
  [/\bword of\b|\bin words\b/i, "message"],
  [/\bthings? that (?:is|are) said\b/i, "statement"],
  [/\bknows? nothing of\b/i, "does not know about"],
  [/\bsays? nothing of\b/i, "does not mention"],
  [/\bnot before\b.*\bbut then\b/i, "plain order"],
  [/\banew\b/i, "again"],
  [/\bbeforehand\b/i, "first, in advance"],
  [/\bin vain\b/i, "without success"],
  [/\bhas to be there\b|\bis there already\b/i, "is required, already exists"],
  [
    /\b(?:licen[c]e|behaviour|colour|favour|honour|neighbour|recognis|normalis|serialis(?!m)|organis|centre|grey|catalog)(?:s|e[ds]?|ing|ers?|able)?\b(?!-)/i,
    "American spelling",
  ],
];

const passages = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && !/^src\/generated\/|^test\/prose\.test\.ts$/.test(file))
  .filter((file) => existsSync(join(root, file)))
  .flatMap((file) =>
    passagesOf(file, readFileSync(join(root, file), "utf8")).map((each) => ({ file, ...each })),
  );

describe("the prose of the project", () => {
  test.each(BANNED)("avoids %s (%s)", (pattern, instead) => {
    const found = passages
      .filter(({ text }) => pattern.test(text))
      .map(({ file, line, text }) => `${file}:${line}: ${pattern.exec(text)![0]} → ${instead}`);
    expect(found).toEqual([]);
  });

  test("is found in comments, strings, Markdown, and YAML", () => {
    const linesOf = (file: string, text: string) =>
      passagesOf(file, text).map(({ line, text: prose }) => `${line} ${prose}`);
    expect(
      linesOf("a.ts", '/** Reads one of `files` at once. */\nlog("no file was found here");'),
    ).toEqual(["1 Reads one of `1` at once.", "2 no file was found here"]);
    expect(linesOf("a.md", "# The title is here\n\n```sh\nthe code is not prose\n```\n")).toEqual([
      "1 The title is here",
    ]);
    expect(
      linesOf("a.yaml", "info:\n  summary: All that is here\n  example: this is not our prose\n"),
    ).toEqual(["2 All that is here"]);
  });
});
