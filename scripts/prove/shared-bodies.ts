import { existsSync, readFileSync } from "node:fs";
import { listOperations } from "../../src/openapi/document.js";
import type { Json } from "../../src/openapi/description.js";
import type { Evidence } from "../learn/evidence.js";
import { root } from "./project.js";

/** A body of a public deployment, as an exchange. */
export interface SharedBody extends Evidence {
  operation: string;
  /** Whether it was recorded in 2024-12 or later. */
  isCurrent: boolean;
}

/** Recorded bodies that are not part of the project, but can lie beside it. */
const FILE = `${root}../shared/observed/bodies.json`;
/** Undated bodies are old. */
const UNDATED = "2021";
/** For each error status, the operation most likely to return it. */
const FAILING: Readonly<Record<number, string>> = { 404: "networks.details" };

/** The bodies that show their HTTP status, as exchanges. Undefined if the file does not exist. */
export function readSharedBodies(document: Json): SharedBody[] | undefined {
  if (!existsSync(FILE)) return undefined;
  const operations = listOperations(document);
  const bodies = JSON.parse(readFileSync(FILE, "utf8")) as {
    operation?: number;
    status?: number;
    source: string;
    date: string;
    body: Json;
  }[];
  return bodies.flatMap(({ operation: number, status, source, date, body }, index) => {
    if (status === undefined) return [];
    const failing = FAILING[status] ?? "search.multi";
    const { id, method, path } =
      number === undefined
        ? operations.find((each) => each.id === failing)!
        : operations[number - 1]!;
    const [day] = /^20\d\d(-(0[1-9]|1[0-2])(?!\d))?/.exec(date.replace("about ", "")) ?? [];
    const headers = {
      "content-type": "application/json",
      ...(number === 1 && { "authentication-callback": "https://host.invalid/" }),
    };
    const request = {
      method,
      path: path.replaceAll(/\{\w+\}/g, "1"),
      ...(method === "POST" && { body: { access_token: "token" } }),
    };
    return {
      operation: id,
      isCurrent: day !== undefined && day.includes("-") && day >= "2024-12",
      source: source.replace(/ (recorded proxy mapping|\().*/, "").replace(" ", ":"),
      date: day ?? UNDATED,
      exchange: {
        name: `body ${index + 1}`,
        request,
        response: { status, headers, body },
        locate: (place) => ({ file: `body ${index + 1}${place}`, line: 1, column: 1 }),
      },
    };
  });
}
