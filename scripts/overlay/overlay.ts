import { listGaps } from "../../src/openapi/gaps.js";
import { readFile } from "node:fs/promises";
import { query } from "json-p3";
import { LineCounter, parseDocument } from "yaml";
import { isWithin, toReferenceToken } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { parseYaml } from "../description/yaml.js";
import { DescriptionError } from "../shared/description-error.js";

/** The sources and dates of a fact. */
export interface Provenance {
  /** Files (`owner/repo:path`) and public documents that support the fact. */
  sources: string[];
  /** The highest number of exchanges that showed the fact in one run of `npm run observe`. */
  exchanges?: number;
  /** The day, month, or year of the earliest recording. */
  first: string;
  /** The day, month, or year of the latest recording. */
  seen: string;
}

/** A fact and its provenance, which an overlay action can have. */
export interface FactProvenance extends Provenance {
  /** The ID of the gap that the fact fills. */
  gap?: string;
  fact: string;
}

/** An action that updates or removes every value that its target selects. */
export interface Action {
  target: string;
  update?: Json;
  remove?: boolean;
  "x-observed": FactProvenance;
}

/** An OpenAPI Overlay 1.1.0 of observed facts. */
export interface Overlay {
  overlay: string;
  info: {
    /** The ages of facts are calculated as of this month. */
    "x-as-of": string;
  };
  actions: Action[];
}

/** A document to which the actions of an overlay have been applied. */
export interface AppliedOverlay {
  actions: readonly Action[];
  document: Json;
  /** For each action, the JSON pointers of the values that the action added, replaced, or removed. */
  locations: string[][];
}

/** An overlay that was read from text and applied. */
export interface ParsedOverlay extends AppliedOverlay {
  /** The ages of facts are calculated as of this month. */
  asOf: string;
  /**
   * Returns the location at which the overlay states a value of the document, as `file:line:column`, or undefined if
   * the overlay does not state the value.
   */
  locate(pointer: string): string | undefined;
}

type Path = readonly (string | number)[];
type Container = Record<string | number, Json>;

/** Matches a day, a month, or a year. */
const DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

/** Returns whether text is a valid day, month, or year. */
export function isDate(text: string): boolean {
  // `Date` converts a day that does not exist, such as 2026-02-30, to a day of the next month.
  return DATE.test(text) && new Date(text).toISOString().startsWith(text);
}

/** Thrown if an action cannot be applied. */
class ActionError extends Error {
  constructor(
    readonly index: number,
    { target }: Action,
    problem: string,
  ) {
    super(`action ${index + 1} (${target}): ${problem}`);
  }
}

/**
 * Reads an overlay and applies it to a document.
 * @throws {DescriptionError} if an action selects nothing
 */
export async function readOverlay(file: string, document: Json): Promise<ParsedOverlay> {
  return parseOverlay(await readFile(file, "utf8"), file, document);
}

/**
 * Parses the text of an overlay and applies it, like {@link readOverlay}.
 * @param file the file's name in error messages
 */
export function parseOverlay(text: string, file: string, document: Json): ParsedOverlay {
  const lines = new LineCounter();
  const tree = parseDocument(text, { lineCounter: lines });
  if (tree.errors[0]) throw new DescriptionError(`${file}: ${tree.errors[0].message}`);
  const { info, actions } = (tree.toJS() ?? {}) as { [Key in keyof Overlay]?: Overlay[Key] | null };
  const asOf = info?.["x-as-of"] ?? "2026-08";
  try {
    checkActions(actions ?? [], document);
    const applied = applyOverlay(document, actions ?? []);
    const locate = (pointer: string) => {
      const position = findStatement(text, applied, pointer);
      return position && [file, ...position].join(":");
    };
    return { ...applied, asOf, locate };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    const node = tree.getIn(["actions", error.index], true) as { range?: [number] } | undefined;
    const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
    throw new DescriptionError(`${file}:${line}:${col}: ${error.message}`);
  }
}

/** Finds the position at which an overlay states a value or the closest enclosing value that the overlay states. */
function findStatement(text: string, { locations }: AppliedOverlay, pointer: string) {
  const index = locations.findLastIndex((own) => own.some((each) => isWithin(pointer, each)));
  if (index < 0) return undefined;
  const { positions } = parseYaml(text);
  const update = `/actions/${index}/update`;
  const tokens = pointer.split("/").slice(1);
  // The target selects the start of the pointer, and the update contains the remaining keys.
  for (let end = tokens.length; end > 0; end--)
    for (let start = 0; start < end; start++) {
      const position = positions[[update, ...tokens.slice(start, end)].join("/")];
      if (position) return position;
    }
  return positions[update];
}

/**
 * Applies the actions of an overlay to a copy of a document.
 * @throws {Error} if an action selects nothing, which the Overlay specification allows, but which is probably a typo
 */
export function applyOverlay(document: Json, actions: readonly Action[]): AppliedOverlay {
  const holder: Container = { $: structuredClone(document) };
  const locations = actions.map((action, index) => {
    try {
      return applyAction(holder, action);
    } catch (error) {
      throw new ActionError(index, action, (error as Error).message);
    }
  });
  return { actions, document: holder.$!, locations };
}

function applyAction(holder: Container, { target, update = null, remove }: Action): string[] {
  const locations = query(target, holder.$!).locations();
  if (locations.length === 0) throw new Error("the target matches nothing; correct the target");
  // Starts with the last location, because removing a list item shifts the items after the removed item.
  return locations.toReversed().flatMap((location) => {
    const path = ["$", ...location];
    const key = path.pop()!;
    const parent = path.reduce((value, name) => value[name] as Container, holder);
    if (!remove) return merge(parent, key, structuredClone(update), location);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
    return [toPointer(location)];
  });
}

/**
 * Merges maps, appends to lists, and replaces anything else. Returns the pointers of the values that it set.
 * @throws {Error} if the update and the old value have different types, for which the Overlay specification defines no
 * result
 */
function merge(parent: Container, key: string | number, update: Json, path: Path): string[] {
  const old = parent[key];
  if (Array.isArray(old)) {
    const items = [update].flat();
    parent[key] = [...old, ...items];
    return items.map((_, index) => toPointer([...path, old.length + index]));
  }
  if (isMap(old) && isMap(update)) {
    if ("$ref" in update && !("$ref" in old))
      throw new Error(
        `${toPointer(path)} already exists, so it cannot become a reference to ${String(update["$ref"])}; exclude it from the target`,
      );
    const entries = Object.entries(update);
    return entries.flatMap(([name, value]) => merge(old, name, value!, [...path, name]));
  }
  if (old !== undefined && typeof old !== typeof update) {
    throw new Error(`${toPointer(path)} has the type ${typeof old}; remove it before the update`);
  }
  parent[key] = update;
  return [toPointer(path)];
}

/** @throws {ActionError} if an action has no effect, or names a gap that does not exist */
function checkActions(actions: readonly Action[], document: Json): void {
  const gaps = new Set(listGaps(document, [""]).map(({ id }) => id));
  for (const [index, action] of actions.entries()) {
    const { "x-observed": observed, update, remove } = action as Partial<Action>;
    const gap = observed?.gap;
    const errorOf = (problem: string) => new ActionError(index, action, problem);
    if (update === undefined && remove !== true) throw errorOf('needs "update" or "remove"');
    if (gap !== undefined && !gaps.has(gap)) throw errorOf(`the gap ${gap} does not exist`);
  }
}

function isMap(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toPointer(path: Path): string {
  return path.map(toReferenceToken).join("");
}
