import { describe, expect, it } from "vitest";
import { commonPrefix, findPrefix, matchPath } from "../../../src/openapi/route.js";

const pathsOf = (...paths: string[]) => paths.map((path) => ({ path }));
const match = (path: string, ...paths: string[]) =>
  matchPath(path, pathsOf(...paths)).map((each) => each.path);

describe("paths", () => {
  it("a literal segment comes before a parameter, whatever its first character is", () => {
    for (const literal of ["~me", "@me", "|", "zzz", "ß", "me"])
      expect(match(`/users/${literal}`, "/users/{id}", `/users/${literal}`)[0]).toBe(
        `/users/${literal}`,
      );
    expect(match("/a/b", "/{x}/b", "/a/{y}")[0]).toBe("/a/{y}");
  });

  it("a percent-encoded path matches the path that the description contains, encoded or not", () => {
    expect(match("/stra%C3%9Fe/1", "/straße/{id}")).toEqual(["/straße/{id}"]);
    expect(match("/a%20b", "/a b")).toEqual(["/a b"]);
    expect(match("/a b", "/a%20b")).toEqual(["/a%20b"]);
    expect(match("/%/1", "/%/{id}")).toEqual(["/%/{id}"]);
    expect(match("/a%2Fb", "/a/b")).toEqual([]);
  });

  it("the prefix is the shortest part before a documented path, and is found in a long path, too", () => {
    const paths = pathsOf("/3/movie/{id}", "/3/movie/{id}/lists");
    expect(findPrefix("/api/v1/3/movie/7/lists", paths)).toBe("/api/v1");
    expect(findPrefix("/3/movie/7", paths)).toBe("");
    expect(findPrefix("/movie/7", paths)).toBeUndefined();
    // Time that is quadratic in the number of segments would exceed the time limit of the test many times over.
    expect(findPrefix("/a".repeat(200_000), paths)).toBeUndefined();
  });

  it("the common prefix consists of the literal segments with which all documented paths start", () => {
    expect(commonPrefix(pathsOf("/3/movie/{id}", "/3/tv"))).toBe("/3");
    expect(commonPrefix(pathsOf("/a/{id}/b", "/a/{id}/c"))).toBe("/a");
    expect(commonPrefix(pathsOf("/a", "/b"))).toBe("");
    expect(commonPrefix([])).toBe("");
  });
});
