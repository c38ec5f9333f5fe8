import { execFileSync } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, entry, folderOf, har, only, problems, read, recording } from "./support.js";

const asked = {
  operation: "movies.lists",
  method: "get",
  path: "/3/movie/{movie_id}/lists",
  status: 200,
};

/** Makes symbolic links in a folder: what each leads to, by its name. */
async function linksIn(folder: string, targets: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(targets)) await symlink(target, join(folder, name));
}

describe("a recording", () => {
  it("becomes an exchange with an upper-case method and lower-case header names", async () => {
    const response = { status: 201, headers: { ETag: ['"a"', '"b"'], "X-Count": 3 }, body: [null] };
    const request = { method: "get", path: "/3/movie/603/lists?page=2&a=1&a=2", body: { b: 1 } };
    const exchange = only(await read({ "a.json": recording(response, request) }));
    expect(exchange).toMatchObject({
      operation: "movies.lists",
      name: "a.json",
      request: {
        method: "GET",
        path: "/3/movie/603/lists",
        query: { page: "2", a: "2" },
        body: { b: 1 },
      },
      response: { status: 201, headers: { etag: '"a", "b"', "x-count": "3" }, body: [null] },
    });
  });

  it("locates pointers, headers and parts of the request in its own text", async () => {
    const exchange = only(await read({ "b/a.json": recording() }));
    const at = (place: string) => {
      const { file, line, column } = exchange.locate(place);
      return `${file}:${line}:${column}`;
    };
    expect(["", "/results", "/id", "/none", "status", "method", "path"].map(at)).toEqual([
      "b/a.json:16:13",
      "b/a.json:19:18",
      "b/a.json:17:13",
      "b/a.json:16:13",
      "b/a.json:12:15",
      "b/a.json:8:15",
      "b/a.json:9:13",
    ]);
    expect(["header: content-type", "header: etag", "headers"].map(at)).toEqual([
      "b/a.json:14:23",
      "b/a.json:13:16",
      "b/a.json:13:16",
    ]);
  });

  it("may have a body that is not JSON, or none", async () => {
    const html = only(await read({ "a.json": recording({ body: undefined, text: "<p>" }) }));
    expect(html.response).toMatchObject({ text: "<p>" });
    expect(html.response).not.toHaveProperty("body");
    const none = only(await read({ "a.json": recording({ body: undefined }) }));
    expect(Object.keys(none.response)).toEqual(["status", "headers", "repeated"]);
  });

  it("locates a pointer in a body that is kept as text", async () => {
    const exchange = only(
      await read({
        "a.json": recording({ body: undefined, text: '{"é": "\n", "a": 1}'.replace("\n", "\\n") }),
      }),
    );
    const line = '    "text": "{\\"é\\": \\"\\\\n\\", \\"a\\": 1}"';
    expect(exchange.locate("/a")).toMatchObject({ line: 16, column: line.indexOf("1}") + 1 });
  });

  it.each<[object, object, string]>([
    ...["200", 600, 0, 200.5].map((status): [object, object, string] => [
      { status },
      {},
      "12:15 response.status must be an HTTP status, an integer from 100 to 599",
    ]),
    [{}, { method: undefined }, "7:14 request.method must be a non-empty string"],
    [{}, { path: "3/movie" }, "9:13 request.path must start with /"],
    [{ headers: "a: b" }, {}, "13:16 response.headers must be an object or a list"],
    [{ headers: { a: null } }, {}, "13:16 response.headers has a header without a name or value"],
    [{}, { query: "page=1" }, "10:14 request.query must be an object"],
  ])("with %j and %j is refused, with its place", async (response, request, problem) => {
    expect(problems(await read({ "a.json": recording(response, request) }))).toEqual([
      `a.json:${problem}`,
    ]);
  });
});

describe("a bare body", () => {
  it("is the response of the given operation, with unknown headers", async () => {
    const exchange = only(await read({ "body.json": '\uFEFF{\n  "id": 603\n}' }, { asked }));
    expect(exchange).toMatchObject({
      operation: "movies.lists",
      bodyOnly: true,
      request: { method: "GET", path: "/3/movie/1/lists" },
      response: { status: 200, body: { id: 603 } },
    });
    expect(exchange.locate("/id")).toEqual({ file: "body.json", line: 2, column: 9 });
  });

  it("may look like a recording or a HAR", async () => {
    for (const body of [recording(), har()]) {
      expect(only(await read({ "body.json": body }, { asked })).response.body).toEqual(
        JSON.parse(JSON.stringify(body)),
      );
    }
  });

  it("is refused without an operation", async () => {
    const [problem] = problems(await read({ "body.json": { id: 603 } }));
    expect(problem).toMatch(
      /^body.json:1:1 is neither a recording .* nor a HAR; a bare .* needs --operation/,
    );
  });
});

describe("the standard input", () => {
  it.each([
    ["a recording", recording()],
    ["a HAR", har(entry("https://a.test/3/movie/1/lists"))],
  ])("may be %s", async (_, content) => {
    const stdin = Readable.from([Buffer.from(JSON.stringify(content))]);
    const exchange = only(await collect({ paths: ["-"], stdin }));
    expect(exchange.locate("/id").file).toBe("stdin");
  });

  it("may be a body", async () => {
    const stdin = Readable.from([Buffer.from("[1]")]);
    expect(only(await collect({ paths: ["-"], stdin, asked })).response.body).toEqual([1]);
  });

  it("is not meant by a file of its name", async () => {
    const cwd = await folderOf({ "-": "[2]" });
    const stdin = Readable.from([Buffer.from("[1]")]);
    const items = await collect({ cwd, paths: ["./-", "-", "-", "./-"], stdin, asked });
    expect(items.map((each) => "exchange" in each && each.exchange.response.body)).toEqual([
      [2],
      [1],
    ]);
  });
});

describe("what cannot be read", () => {
  it("is named with what is wrong, and the rest is read all the same", async () => {
    const whole = JSON.stringify(recording());
    const items = await read({
      "a-good.json": recording(),
      "b-truncated.json": whole.slice(0, 150),
      "c-binary.json": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
      "c-zeros.json": "\0\0\0\0",
      "c-zip.har": Buffer.from("PK\u0003\u0004..."),
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
    const names = items.flatMap((each) => ("exchange" in each ? [each.exchange.name] : []));
    expect(names).toEqual(["a-good.json", "m-good.json"]);
    expect(problems(items)).toEqual([
      "c-zip.har is a ZIP archive; unpack it and pass the .har file",
      expect.stringMatching(/^k-truncated.har:1:\d+ is cut off: the JSON is incomplete$/),
      expect.stringMatching(/^l-no-entries.har:3:16 log.entries must be a list$/),
      "b-truncated.json:1:151 is cut off: the JSON is incomplete",
      "c-binary.json is not UTF-8 text (binary, or another encoding); save it as UTF-8",
      "c-zeros.json is not UTF-8 text (binary, or another encoding); save it as UTF-8",
      "d-utf16.json is not UTF-8 text (binary, or another encoding); save it as UTF-8",
      "e-empty.json is empty",
      "f-blank.json is empty",
      expect.stringMatching(/^g-form.json:1:1 is neither a recording/),
      "h-list.json:1:1 is a list; write one exchange per file",
      'i-html.json:1:1 is not valid JSON: unexpected "<"',
      "j-deep.json:1:257 is nested more than 256 levels deep",
    ]);
  });

  it("may be missing, a folder without recordings, or a file that nobody may read", async () => {
    const cwd = await folderOf({ "empty/note.txt": "x" });
    const items = await collect({ cwd, paths: ["none.json", "empty", "/no/such"] });
    expect(problems(items)).toEqual([
      "none.json does not exist",
      "empty has no .json or .har file",
      "/no/such does not exist",
    ]);
  });

  it("is refused over 64 MB, and the rest is read all the same", async () => {
    const cwd = await folderOf({ "big.har": "", "good.json": recording() });
    await truncate(join(cwd, "big.har"), 64 * 2 ** 20 + 1);
    const problem = "larger than 64 MB; keep only the requests to the service, or split it";
    const items = await collect({ cwd });
    expect(problems(items)).toEqual([`big.har is ${problem}`]);
    expect(items.filter((each) => "exchange" in each)).toHaveLength(1);
    const chunk = Buffer.alloc(2 ** 20);
    const endless = Readable.from(
      (function* () {
        for (;;) yield chunk;
      })(),
    );
    expect(problems(await collect({ paths: ["-"], stdin: endless }))).toEqual([
      `stdin is ${problem}`,
    ]);
  });
});

describe("a folder", () => {
  it("is read with all below it, in the order of code units, hidden names left out", async () => {
    const items = await read({
      "b.json": recording(),
      "a/z.json": recording(),
      "a/Z.json": recording(),
      "a.json": recording(),
      "B.HAR": har(entry("https://a.test/3/movie/1/lists")),
      "é.json": recording(),
      ".hidden/a.json": "{",
      "a/.b.json": "{",
    });
    expect(items.map((each) => "exchange" in each && each.exchange.name)).toEqual([
      "B.HAR#1",
      "a/Z.json",
      "a/z.json",
      "a.json",
      "b.json",
      "é.json",
    ]);
  });

  it("follows links to files, each read once by its own name, and no links to folders", async () => {
    const cwd = await folderOf({ "in/z.json": recording(), "out/b.json": recording() });
    const folder = "is a symbolic link to a folder; name its target instead";
    await linksIn(join(cwd, "in"), {
      "a.json": "z.json",
      "b.json": "../out/b.json",
      loop: ".",
      out: "../out",
      "none.json": "nowhere",
      "itself.json": "itself.json",
    });
    const items = await collect({ cwd, paths: ["in"] });
    expect(items.flatMap((each) => ("exchange" in each ? [each.exchange.name] : []))).toEqual([
      "in/z.json",
      "in/b.json",
    ]);
    expect(problems(items)).toEqual([
      "in/itself.json is a broken symbolic link",
      `in/loop ${folder}`,
      "in/none.json is a broken symbolic link",
      `in/out ${folder}`,
    ]);
  });

  it("does not wait for a pipe: it is named, and the rest is read", async () => {
    const cwd = await folderOf({ "z.json": recording(), "folder.json/b.txt": "" });
    execFileSync("sh", ["-c", "mkfifo pipe pipe.json"], { cwd });
    await linksIn(cwd, { "a.json": "pipe" });
    const items = await collect({ cwd });
    const problem = "is a pipe, a socket or a device; leave it out, or use - for standard input";
    expect(problems(items)).toEqual([`pipe.json ${problem}`, `a.json ${problem}`]);
    expect(problems(await collect({ cwd, paths: ["pipe"] }))).toEqual([`pipe ${problem}`]);
    expect(items.filter((each) => "exchange" in each)).toHaveLength(1);
  });

  it("is read once if it is named twice", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    expect(await collect({ cwd, paths: ["a.json", ".", "./a.json"] })).toHaveLength(1);
  });
});

it("gives exchanges, skips or a problem that names the file for anything at all, and never throws", async () => {
  const cwd = await folderOf({});
  const whole = [recording(), har(entry("https://a.test/3/movie/1/lists"))].map((each) =>
    JSON.stringify(each),
  );
  // One value of a recording or a HAR is replaced.
  const replaced = fc
    .tuple(fc.constantFrom(...whole), fc.nat(40), fc.jsonValue({ maxDepth: 2 }))
    .map(([text, index, value]) => {
      let count = 0;
      const replacement = JSON.stringify(value);
      return text.replaceAll(/(?<=":)("[^"]*"|\d+|\{\}|\[\])/g, (old) =>
        count++ === index ? replacement : old,
      );
    });
  const bytes = fc
    .uint8Array({ maxLength: 200 })
    .map((each) => Buffer.from(each).toString("latin1"));
  const content = fc.oneof(bytes, fc.json({ maxDepth: 4 }), replaced);
  await fc.assert(
    fc.asyncProperty(content, fc.boolean(), async (text, isBody) => {
      await writeFile(join(cwd, "x.json"), text);
      const items = await collect({ cwd, ...(isBody && { asked }) });
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        if ("unreadable" in item) expect(item.unreadable.file).toBe("x.json");
        if (!("exchange" in item)) continue;
        for (const place of ["", "/a/0", "header: a", "status", "toString", "/__proto__"]) {
          const { line, column } = item.exchange.locate(place);
          expect(line > 0 && column > 0).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});
