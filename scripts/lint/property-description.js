import { isMap } from "../is-map.js";
import { entriesOf } from "./context.js";

/** Every property of a schema has a description, inline or in the schema that it references. */
export function propertyDescription() {
  return {
    /** @param {unknown} properties @param {import("./context.js").Context} context */
    SchemaProperties(properties, { location, report, resolve }) {
      for (const [name, property] of entriesOf(properties)) {
        const places = [property, resolve(property).node];
        if (places.some((schema) => isMap(schema) && schema.description)) continue;
        report({
          message: `property ${name} has no description; state its form, its unit, and the meaning of empty or null`,
          location: location.child([name]).key(),
        });
      }
    },
  };
}
