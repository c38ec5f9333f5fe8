import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tableOf } from "./package/page.js";
import { deref } from "./support/description.js";
import { root } from "./support/paths.js";
import { specifiedOperations } from "./support/specification.js";

it("the README lists every method of the specification, with its arguments", () => {
  const groups = new Map<string, string[]>();
  for (const { path, operation } of specifiedOperations) {
    const [group, method] = operation.operationId.split(".") as [string, string];
    const names = path.match(/(?<=\{)[^}]+/g) ?? [];
    const query = (operation.parameters ?? [])
      .map(deref)
      .filter((each) => each.in === "query" && each.required)
      .map(({ name }) => name);
    const { content } = operation.requestBody ?? {};
    const body = (content && deref(content["application/json"]!.schema).required) ?? [];
    const options = Object.entries({ query, body })
      .filter(([, members]) => members.length > 0)
      .map(([option, members]) => `${option}: { ${members.join(", ")} }`);
    const parameters = [
      ...(names.length > 1 ? [`{ ${names.join(", ")} }`] : names),
      ...(options.length > 0 ? [`{ ${options.join(", ")} }`] : []),
    ];
    const signature = `\`${method}(${parameters.join(", ")})\``;
    groups.set(group, [...(groups.get(group) ?? []), signature].toSorted());
  }
  const [, section] = readFileSync(join(root, "README.md"), "utf8").split("\n## Methods\n");
  const [, ...rows] = tableOf(section!);
  const listed = rows.map(([group, methods]) => [group, methods!.split(/, (?=`)/)]);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries([...groups].map(([group, methods]) => [`\`${group}\``, methods])),
  );
});
