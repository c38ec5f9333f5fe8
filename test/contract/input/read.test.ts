import { execFileSync } from "node:child_process";
import { readdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { collect, entry, folderOf, har, only, problems, read, recording } from "./support.js";

/** Creates symbolic links in a folder. `targets` maps the name of each link to its target. */
async function linksIn(folder: string, targets: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(targets)) await symlink(target, join(folder, name));
}

const url = "https://catalogue.test/3/movie/701/lists";
const namesIn = (items: Awaited<ReturnType<typeof collect>>) =>
  items.flatMap((each) => ("exchange" in each ? [each.exchange.name] : []));

describe("recordings", () => {
  it("the gate reads a recording as an exchange with an uppercase method and lowercase header names", async () => {
    const response = { status: 201, headers: { ETag: ['"a"', '"b"'], "X-Count": 3 }, body: [null] };
    const request = { method: "get", path: "/3/movie/701/lists?page=2&a=1&a=2?", body: { b: 1 } };
    const exchange = only(await read({ "a.json": recording(response, request) }));
    expect(exchange).toMatchObject({
      operation: "movies.lists",
      name: "a.json",
      request: {
        method: "GET",
        path: "/3/movie/701/lists",
        query: { page: "2", a: ["1", "2?"] },
        body: { b: 1 },
      },
      response: { status: 201, headers: { etag: '"a", "b"', "x-count": "3" }, body: [null] },
    });
  });

  it("the gate finds the positions of values, headers, and parts of the request in a recording", async () => {
    const { locate } = only(await read({ "b/a.json": recording() }));
    const expected: Record<string, string> = {
      "": "16:13",
      "/results": "19:18",
      "/none": "16:13",
      status: "12:15",
      method: "8:15",
      path: "9:13",
      "header: content-type": "14:23",
      "header: etag": "13:16",
      headers: "13:16",
    };
    for (const [location, position] of Object.entries(expected)) {
      const { file, line, column } = locate!(location);
      expect([location, file, `${line}:${column}`]).toEqual([location, "b/a.json", position]);
    }
  });

  it("a recording can store a body as a string, which is the location of every value, or have no body", async () => {
    const readText = async (text: string) =>
      only(await read({ "a.json": recording({ body: undefined, text }) }));
    const html = await readText("<p>");
    expect(html.response).toMatchObject({ text: "<p>" });
    expect(html.response).not.toHaveProperty("body");
    const json = await readText('{"a": 1}');
    for (const position of [html.locate!(""), json.locate!("/a")])
      expect(position).toMatchObject({ line: 16, column: 13 });
    const none = only(await read({ "a.json": recording({ body: undefined }) }));
    expect(Object.keys(none.response)).toEqual(["status", "headers"]);
  });

  it.each<[object, object, string]>([
    ...["200", 600, 200.5].map((status): [object, object, string] => [
      { status },
      {},
      "12:15 response.status must be an HTTP status (an integer from 100 to 599)",
    ]),
    [{}, { method: undefined }, "7:14 request.method must be a nonempty string"],
    [{}, { path: "3/movie" }, "9:13 request.path must start with /"],
    [{ headers: "a: b" }, {}, "13:16 response.headers must be an object or an array"],
    [{ headers: { a: null } }, {}, "13:16 response.headers has a header without a name or value"],
    [{ text: "{}" }, {}, "11:15 response has both `body` and `text`; keep one of them"],
    [{}, { body: {}, text: "" }, "7:14 request has both `body` and `text`; keep one of them"],
    [{}, { query: "page=1" }, "10:14 request.query must be an object"],
    [{}, { query: [{ toString: 0 }] }, "11:7 request.query.0 must be a nonempty string"],
  ])(
    "the gate rejects a recording with the response %j and the request %j, and states the position of the problem",
    async (response, request, problem) => {
      const items = await read({ "a.json": recording(response, request) });
      expect(problems(items)).toEqual([`a.json:${problem}`]);
    },
  );
});

it("the gate reads standard input only once, even if the path `-` is repeated, and reads `./-` as a file", async () => {
  const cwd = await folderOf({ "-": recording() });
  for (const content of [recording(), har(entry("https://a.test/3/movie/1/lists"))]) {
    const stdin = Readable.from([Buffer.from(JSON.stringify(content))]);
    const items = await collect({ cwd, paths: ["none", "./-", "-", "-", "./-"], stdin });
    const files = items.flatMap((each) =>
      "exchange" in each ? [each.exchange.locate!("").file] : [],
    );
    expect(files).toEqual(["-", "stdin"]);
  }
});

describe("unreadable input", () => {
  it("the gate reports each input that cannot be read, and reads the other inputs", async () => {
    const whole = JSON.stringify(recording());
    const items = await read({
      "a-good.json": recording(),
      "b-truncated.json": whole.slice(0, 150),
      "c-binary.json": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
      "c-zeros.json": "\0\0\0\0",
      "d-utf16.json": Buffer.from(`\uFEFF${whole}`, "utf16le"),
      "e-empty.json": "",
      "f-blank.json": " \n",
      "g-form.json": { hello: "world" },
      "h-list.json": [recording()],
      "i-html.json": "<html>",
      "j-deep.json": "[".repeat(100_000) + "]".repeat(100_000),
      "k-truncated.har": JSON.stringify(har(entry("https://a.test/3/movie/1/lists"))).slice(0, -3),
      "l-no-entries.har": { log: { entries: {} } },
      "m-good.json": recording(),
      "README.md": "Not read.",
    });
    expect(namesIn(items)).toEqual(["a-good.json", "m-good.json"]);
    expect(problems(items)).toEqual([
      "b-truncated.json:1:142 is truncated JSON",
      "c-binary.json:1:1 is not UTF-8 text; save it as UTF-8",
      "c-zeros.json:1:1 is not UTF-8 text; save it as UTF-8",
      "d-utf16.json:1:1 is not UTF-8 text; save it as UTF-8",
      "e-empty.json is empty",
      "f-blank.json is empty",
      expect.stringMatching(
        /^g-form.json:1:1 is not a HAR file or a recording .*; leave out this file/,
      ),
      expect.stringMatching(
        /^h-list.json:1:1 is not a HAR file or a recording .*; leave out this file/,
      ),
      "i-html.json:1:1 is not valid JSON",
      "j-deep.json:1:1 is nested more than 256 levels deep",
      expect.stringMatching(/^k-truncated.har:1:\d+ is truncated JSON$/),
      "l-no-entries.har:3:16 log.entries must be an array",
    ]);
  });

  it.each([
    ["a byte of Latin-1", '[\n"caf\xE9!"]', "2:5"],
    ["a byte after a byte order mark and U+FFFD", "\xEF\xBB\xBF\xEF\xBF\xBD\x80", "1:2"],
    ["a byte that cannot follow the start of U+FFFD", "a\xEF\xBFb", "1:2"],
    ["the start of a character", "\xF0\x9F\x98\x80\xF0\x9F\x98", "1:3"],
    ["the start of U+FFFD", "a\xEF\xBF", "1:2"],
    ["a zero", "\xE2\x82\xAC\0", "1:2"],
  ])("the gate locates the first byte that is not UTF-8 text: %s", async (_, bytes, position) => {
    expect(problems(await read({ "a.json": Buffer.from(bytes, "latin1") }))).toEqual([
      `a.json:${position} is not UTF-8 text; save it as UTF-8`,
    ]);
  });

  it("the gate locates a byte that is not UTF-8 text in an entry of a HAR", async () => {
    const text = JSON.stringify(har(entry(url), { ...entry(url), comment: "\xE9" }), null, 1);
    const lines = text.slice(0, text.indexOf("\xE9")).split("\n");
    expect(problems(await read({ "a.har": Buffer.from(text, "latin1") }))).toEqual([
      `a.har:${lines.length}:${lines.at(-1)!.length + 1} is not UTF-8 text; save it as UTF-8`,
    ]);
  });

  it("the gate reports an input that does not exist, and a folder without recordings", async () => {
    const cwd = await folderOf({ "empty/note.txt": "x" });
    expect(problems(await collect({ cwd, paths: ["none.json", "empty", "/no/such"] }))).toEqual([
      "none.json does not exist; check the path",
      "empty has no readable .json or .har files; if it is a link, pass the target folder",
      "/no/such does not exist; check the path",
    ]);
  });

  it("the gate rejects more than 64 MB outside of HAR entries", async () => {
    const cwd = await folderOf({ "big.json": "", "full.json": "", "good.json": recording() });
    const limit = 64 * 2 ** 20;
    await truncate(join(cwd, "big.json"), limit + 1);
    await truncate(join(cwd, "full.json"), limit);
    const large = "contains more than 64 MB outside of HAR entries; leave it out, or split it";
    const items = await collect({ cwd });
    expect(namesIn(items)).toEqual(["good.json"]);
    expect(problems(items)).toEqual([
      `big.json ${large}`,
      "full.json:1:1 is not UTF-8 text; save it as UTF-8",
    ]);
    const endless = function* () {
      for (;;) yield Buffer.alloc(2 ** 20);
    };
    const all = await collect({ paths: ["-"], stdin: Readable.from(endless()) });
    expect(problems(all)).toEqual([`stdin ${large}`]);
  });

  it("the gate reads standard input of more than 4 MB, and leaves no file behind", async () => {
    const folder = await folderOf({});
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const large = { ...recording(), note: "x".repeat(5 * 2 ** 20) };
    const text = JSON.stringify(har(entry(url), { ...entry(url), comment: large }));
    const stdin = function* () {
      for (let at = 0; at < text.length; at += 65536) yield Buffer.from(text.slice(at, at + 65536));
    };
    const items = await collect({ paths: ["-"], stdin: Readable.from(stdin()) });
    expect(namesIn(items)).toEqual(["stdin#1", "stdin#2"]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("folders", () => {
  it("the gate reads packed HAR files in a folder, and says how to unpack the formats that it cannot read", async () => {
    const packed = gzipSync(JSON.stringify(har(entry(url))));
    const items = await read({
      "a.har": har(entry(url)),
      "b.har.gz": packed,
      "c.har.zip": "PK\u0003\u0004",
      "d.har.yaml": "log: {}",
      "e.har.gz": packed.subarray(0, 60),
      "f.har.zst": Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      "g.har.tar.gz": packed,
      "h.har (1)": har(entry(url)),
      "trace.zip": "PK\u0003\u0004",
    });
    expect(namesIn(items)).toEqual(["a.har#1", "b.har.gz#1", "h.har (1)#1"]);
    expect(problems(items)).toEqual([
      "c.har.zip is a ZIP archive; unpack it with unzip into a new folder, and pass this folder",
      "d.har.yaml is YAML; convert it to JSON, for example with yq -o=json",
      "e.har.gz is a truncated gzip file",
      "f.har.zst is compressed with Zstandard; decompress it with zstd -d",
      "g.har.tar.gz is a tar archive; unpack it with tar -xf into a new folder, and pass this folder",
    ]);
    const cwd = await folderOf({ "a.tgz": packed, "b.tar": "a" });
    expect(problems(await collect({ cwd, paths: ["a.tgz", "b.tar"] }))).toEqual([
      expect.stringContaining("a.tgz is a tar archive"),
      expect.stringContaining("b.tar is a tar archive"),
    ]);
  });

  it("the gate reads the files in a folder and its subfolders, sorted by path, and ignores hidden files", async () => {
    const items = await read({
      "b.json": recording(),
      "a/z.json": recording(),
      "a/Z.json": recording(),
      "a.json": recording(),
      "B.HAR": har(entry("https://a.test/3/movie/1/lists")),
      ".hidden/a.json": "{",
      "a/.b.json": "{",
    });
    expect(problems(items)).toEqual([]);
    expect(namesIn(items)).toEqual(["B.HAR#1", "a.json", "a/Z.json", "a/z.json", "b.json"]);
  });

  it("a folder and a broken link that are named like a HAR do not stop the gate", async () => {
    const folder = await folderOf({ "a.json": "{", "x.har/b.json": recording() });
    await symlink("nowhere", join(folder, "y.har"));
    const items = await collect({ cwd: folder });
    expect(namesIn(items)).toEqual(["x.har/b.json"]);
    expect(problems(items)).toEqual([
      "a.json:1:2 is truncated JSON",
      "y.har does not exist; check the path",
    ]);
  });

  it("the gate names a subfolder that cannot be read, and reads the other files", async () => {
    const folder = await folderOf({ "a.json": recording(), "z/b.json": recording() });
    // The path is longer than the operating system allows, so even root cannot list the innermost folder.
    const name = "n".repeat(250);
    const nest = `for (let i = 0; i < 17; i++) { fs.mkdirSync("${name}"); process.chdir("${name}"); }`;
    execFileSync(process.execPath, ["-e", nest], { cwd: folder });
    try {
      const items = await collect({ cwd: folder });
      expect(namesIn(items)).toHaveLength(2);
      expect(problems(items)).toEqual([
        expect.stringMatching(/n cannot be read or written \(ENAMETOOLONG\)$/),
      ]);
    } finally {
      execFileSync("rm", ["-rf", name], { cwd: folder });
    }
  });

  it("standard input can be split anywhere, even inside a character", async () => {
    const bytes = Buffer.from(JSON.stringify(recording({ text: "é€😀", body: undefined })));
    const stdin = Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(only(await collect({ paths: ["-"], stdin })).response.text).toBe("é€😀");
  });

  it("the gate follows links to files, and reads each target once, but does not follow links to folders", async () => {
    const cwd = await folderOf({ "in/z.json": recording(), "out/b.json": recording() });
    await linksIn(join(cwd, "in"), {
      "a.json": "z.json",
      "b.json": "../out/b.json",
      loop: ".",
      "none.json": "nowhere",
      "itself.json": "itself.json",
    });
    const items = await collect({ cwd, paths: ["in"] });
    expect(namesIn(items)).toEqual(["in/z.json", "out/b.json"]);
    expect(problems(items)).toEqual([
      "in has no readable .json or .har files; if it is a link, pass the target folder",
      "in/itself.json cannot be read or written (ELOOP)",
      "in/none.json does not exist; check the path",
    ]);
  });

  it("the gate reports a pipe as unreadable, and does not wait for its content", async () => {
    const cwd = await folderOf({ "z.json": recording(), "folder.json/b.txt": "" });
    execFileSync("sh", ["-c", "mkfifo pipe pipe.json"], { cwd });
    await linksIn(cwd, { "a.json": "pipe" });
    const items = await collect({ cwd, paths: [".", "pipe"] });
    const problem = "is a pipe, a socket, or a device; leave it out, or use - for standard input";
    const expected = ["pipe", "pipe.json"].map((each) => `${each} ${problem}`);
    expect([problems(items), namesIn(items)]).toEqual([expected, ["z.json"]]);
  });

  it("the gate reads a file only once, even if several paths include the file", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    expect(await collect({ cwd, paths: ["a.json", ".", "./a.json"] })).toHaveLength(1);
  });
});

it("the gate never throws, whatever a file contains, and names the file in every problem that it reports", async () => {
  const cwd = await folderOf({});
  const whole = [recording(), har(entry("https://a.test/3/movie/1/lists"))];
  // The text of a recording or a HAR with one replaced value.
  const replaced = fc
    .tuple(
      fc.constantFrom(...whole),
      fc.nat(40),
      // An object whose `toString` is not a function cannot be converted to a string or a number.
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constant({ toString: 0 }),
        fc.constant([{ toString: 0 }]),
      ),
    )
    .map(([each, index, value]) => {
      let count = 0;
      return JSON.stringify(each).replaceAll(/(?<=":)("[^"]*"|\d+|\{\}|\[\])/g, (old) =>
        count++ === index ? JSON.stringify(value) : old,
      );
    });
  const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each));
  const content = fc.oneof(bytes, fc.json({ maxDepth: 4 }), replaced);
  await fc.assert(
    fc.asyncProperty(content, async (data) => {
      await writeFile(join(cwd, "x.json"), data);
      const items = await collect({ cwd });
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        if ("unreadable" in item) expect(item.unreadable.file).toBe("x.json");
        if (!("exchange" in item)) continue;
        for (const location of ["", "/a/0", "header: a", "status", "toString", "/__proto__"]) {
          const { line = 0, column = 0 } = item.exchange.locate!(location);
          expect(line > 0 && column > 0).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});
