/**
 * Lint rules that redocly.yaml cannot express with its configurable rules. JavaScript with a default export,
 * because Redocly loads plugins directly.
 */
import { gapForm } from "./lint/gap-form.js";
import { openResponses } from "./lint/open-responses.js";
import { propertyDescription } from "./lint/property-description.js";
import { responseExamples } from "./lint/response-examples.js";

export default function cataloguePlugin() {
  return {
    id: "catalogue",
    rules: {
      oas3: {
        "gap-form": gapForm,
        "open-responses": openResponses,
        "property-description": propertyDescription,
        "response-examples": responseExamples,
      },
    },
  };
}
