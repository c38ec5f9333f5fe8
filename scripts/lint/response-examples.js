import { isMap } from "../is-map.js";
import { entriesOf } from "./context.js";

/** Every JSON response body has an example that shows its form. */
export function responseExamples() {
  return {
    /** @param {Record<string, unknown>} response @param {import("./context.js").Context} context */
    Response(response, { location, report }) {
      for (const [mediaType, content] of entriesOf(response.content)) {
        if (!/^application\/([^;]+\+)?json\b/.test(mediaType) || hasExample(content)) continue;
        report({
          message: `${mediaType} has no example; add one under examples, equal to a recording`,
          location: location.child(["content", mediaType]).key(),
        });
      }
    },
  };
}

/** @param {unknown} content */
function hasExample(content) {
  if (!isMap(content)) return false;
  const named = entriesOf(content.examples);
  return (
    "example" in content ||
    named.some(([, example]) => isMap(example) && ("value" in example || "$ref" in example))
  );
}
