import { operations } from "../../generated/full-operations.js";
import { matchPath } from "../../openapi/route.js";
import type { Description } from "../../openapi/description.js";
import type { Exchange, Finding } from "../engine/types.js";

const ROUTES = Object.entries(operations).map(([id, [method, path]]) => ({
  id,
  method: method.toUpperCase(),
  path,
}));

/** If only the full description documents the operation of an unknown path or method, says so in the fix. */
export function suggestFull(
  finding: Finding,
  { request }: Exchange,
  description: Pick<Description, "operations">,
): Finding {
  if (finding.rule !== "http/unknown-path" && finding.rule !== "http/unknown-method")
    return finding;
  const method = request.method.toUpperCase();
  const found = matchPath(request.path, ROUTES).find((each) => each.method === method);
  if (!found || description.operations.some(({ id }) => id === found.id)) return finding;
  const how = 'pass --full, or set "description": "full" in the configuration file';
  return {
    ...finding,
    fix: `The full description documents this operation (${found.id}): ${how}.`,
  };
}
