/**
 * A Redocly plugin with a rule like `operation-tag-defined`, whose message names the tag, and suggests a declared one.
 * @typedef {{ child: (path: (string | number)[]) => unknown }} Location
 * @typedef {{ location: Location; report: (problem: object) => void }} Context
 */

const declared = () => {
  /** @type {string[]} */
  let names = [];
  return {
    /** @type {(root: { tags?: { name: string }[] }) => void} */
    Root({ tags = [] }) {
      names = tags.map(({ name }) => name);
    },
    /** @type {(operation: { tags?: string[] }, context: Context) => void} */
    Operation({ tags = [] }, { location, report }) {
      for (const [index, tag] of tags.entries()) {
        if (names.includes(tag)) continue;
        const closest = names
          .filter((name) => likeness(tag, name) > 0.2)
          .toSorted((a, b) => likeness(tag, b) - likeness(tag, a));
        const message = `the tag ${tag} is not declared; correct it, or add it to tags.`;
        report({ message, location: location.child(["tags", index]), suggest: closest });
      }
    },
  };
};

/**
 * Returns the share of the pairs of letters that two words have in common.
 * @type {(a: string, b: string) => number}
 */
const likeness = (a, b) => {
  const [pairs, others] = [pairsOf(a), pairsOf(b)];
  return pairs.filter((each) => others.includes(each)).length / (pairs.length + others.length);
};

/** @type {(word: string) => string[]} */
const pairsOf = (word) => [...word].map((_, index) => word.slice(index, index + 2).toLowerCase());

export default () => ({ id: "tags", rules: { oas3: { declared } } });
