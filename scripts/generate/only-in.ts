import type { MethodModel } from "../description/read-operations.js";

/**
 * Returns a type that rejects the query parameters that only the operation's sibling takes: the method of the same name
 * for the other kind, as in `movies.popular` and `tvSeries.popular`, or `discover.movies` and `discover.tv`. Undefined if
 * there are none. The type is a pattern for each name, which cannot also match a parameter of the operation itself.
 */
export function onlyInSibling(
  { id, queryNames }: MethodModel,
  operations: readonly MethodModel[],
): string | undefined {
  const sibling = operations.find(
    (each) => each.id !== id && withoutKind(each.id) === withoutKind(id),
  );
  const names = sibling?.queryNames.filter(
    (name) => !queryNames.some((own) => own.startsWith(name)),
  );
  if (!sibling || !names?.length) return undefined;
  return `OnlyIn<"${sibling.id}", ${names.map((name) => `"${name}"`).join(" | ")}>`;
}

const withoutKind = (id: string) => id.replace(/^(movies|tvSeries)(?=\.)|(?<=\.)(movies|tv)$/, "*");
