import type { Dependency } from "./installed.js";

/** What is allowed, each with its reason. */
export interface Policy {
  /** Licences that any dependency may have. */
  allowed: Record<string, string>;
  /** Packages that may have another; a name that ends with `*` is the beginning of several. */
  named: Record<string, { licences: string[]; why: string }>;
}

/** A published dependency asks its notice of those who install the package: no more than this. */
const PUBLISHED = ["MIT"];

/** What is wrong: dependencies that are not allowed, and rules that allow what nothing has. */
export function judgeLicences(
  dependencies: readonly Dependency[],
  { allowed, named }: Policy,
): string[] {
  const used = new Set<string>();
  const problems = dependencies.flatMap(({ name, version, licence, published }) => {
    const chosen = choicesOf(licence).find((choice) => choice in allowed);
    if (chosen !== undefined) {
      used.add(chosen);
      if (!published || PUBLISHED.includes(chosen)) return [];
      return [
        `${name}@${version} is published with the package, under ${licence}; only ${PUBLISHED} may`,
      ];
    }
    const [rule, exception] =
      Object.entries(named).find(([pattern]) => matches(pattern, name)) ?? [];
    if (rule !== undefined && !published && exception?.licences.includes(licence)) {
      used.add(`${rule} ${licence}`);
      return [];
    }
    return [
      `${name}@${version} has the licence ${licence}; allow it, name the package, or take another`,
    ];
  });
  const rules = [
    ...Object.keys(allowed),
    ...Object.entries(named).flatMap(([name, { licences }]) =>
      licences.map((licence) => `${name} ${licence}`),
    ),
  ];
  const stale = rules.filter((rule) => !used.has(rule));
  return [...problems, ...stale.map((rule) => `no dependency needs the rule "${rule}"; remove it`)];
}

/** The licences that one may choose from; where several hold at once, they are one choice. */
function choicesOf(licence: string): string[] {
  return licence.includes(" AND ") ? [licence] : licence.replace(/^\((.*)\)$/, "$1").split(" OR ");
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
