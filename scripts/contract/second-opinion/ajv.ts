import { validatorAt } from "../../../test/support/validators.js";
import { bodyPointer, responsePointer } from "../../../test/support/responses.js";
import type { Exchange } from "../../../src/contract/engine/types.js";

/** What ajv alone says of each body, by the open schema of its status; it sees nothing of HTTP. */
export function askAjv(exchanges: readonly Exchange[]): string[] {
  return exchanges.map(({ operation = "", response }) => {
    if (response.body === undefined) return "not JSON";
    const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
    return validate(response.body) ? "" : (validate.errors?.[0]?.message ?? "invalid");
  });
}
