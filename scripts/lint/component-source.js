import { isMap } from "../is-map.js";
import { entriesOf } from "./context.js";

/** Every component names the section of the source document that it was written from. */
export function componentSource() {
  return {
    /** @param {unknown} components @param {import("./context.js").Context} context */
    Components(components, { location, report }) {
      for (const [section, named] of entriesOf(components)) {
        if (section.startsWith("x-")) continue;
        for (const [name, component] of entriesOf(named)) {
          if (isMap(component) && component["x-source"]) continue;
          report({
            message: `component ${name} has no x-source; name the section of the source document`,
            location: location.child([section, name]).key(),
          });
        }
      }
    },
  };
}
