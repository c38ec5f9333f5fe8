import { isMap } from "../is-map.js";
import { entriesOf } from "./context.js";

/** Every property of a schema is described, in its own place or where it refers to. */
export function propertyDescription() {
  return {
    /** @param {unknown} properties @param {import("./context.js").Context} context */
    SchemaProperties(properties, { location, report, resolve }) {
      for (const [name, property] of entriesOf(properties)) {
        const places = [property, resolve(property).node];
        if (places.some((schema) => isMap(schema) && schema.description)) continue;
        report({
          message: `property ${name} has no description; say its form, its unit and what empty or null means`,
          location: location.child([name]).key(),
        });
      }
    },
  };
}
