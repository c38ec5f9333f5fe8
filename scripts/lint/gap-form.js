import { isMap } from "../is-map.js";

/** x-not-specified lists gaps as { id, text }, with the same text everywhere. */
export function gapForm() {
  /** @type {Map<string, string>} */
  const texts = new Map();

  /** @param {unknown} gap */
  const wrong = (gap) => {
    const { id, text } = isMap(gap) ? gap : {};
    if (typeof id !== "string" || !/^G\d\d$/.test(id)) {
      return "a gap has no id such as G01; use its number in info.description";
    }
    if (typeof text !== "string" || text === "") {
      return `gap ${id} has no text; name the point that the source leaves open`;
    }
    if (texts.has(id) && texts.get(id) !== text) {
      return `gap ${id} has a different text elsewhere; use the same text at every place`;
    }
    texts.set(id, text);
    return undefined;
  };

  return {
    any: {
      /** @param {unknown} node @param {import("./context.js").Context} context */
      enter(node, { location, report }) {
        if (!isMap(node) || !("x-not-specified" in node)) return;
        const gaps = node["x-not-specified"];
        const messages =
          Array.isArray(gaps) && gaps.length > 0
            ? gaps.flatMap((gap) => wrong(gap) ?? [])
            : ["x-not-specified must be a list of { id, text }; write each gap as an item"];
        for (const message of messages) {
          report({ message, location: location.child(["x-not-specified"]).key() });
        }
      },
    },
  };
}
