import { query } from "json-p3";
import { LineCounter, parseDocument } from "yaml";
import { isWithin, toReferenceToken } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { parseYaml, type Yaml } from "../description/yaml.js";
import { DescriptionError } from "../shared/description-error.js";

/** An action that updates or removes every value that its target selects. */
export interface Action {
  target: string;
  update?: Json;
  remove?: boolean;
}

/** An OpenAPI Overlay 1.1.0. */
export interface Overlay {
  overlay: string;
  actions: Action[];
}

/** A document to which the actions of an overlay have been applied. */
export interface AppliedOverlay {
  actions: readonly Action[];
  document: Json;
  /** For each action, the JSON pointers of the values that the action added, replaced, or removed. */
  locations: string[][];
}

/** A file, a line, and a column. */
export type Location = readonly [file: string, line: number, column: number];

/** An overlay that was read from text and applied. */
export interface ParsedOverlay extends AppliedOverlay {
  /** Returns the location at which the overlay states a value of the document, or undefined if it does not. */
  locate(pointer: string): Location | undefined;
}

type Path = readonly (string | number)[];
type Container = Record<string | number, Json>;

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
 * Parses the text of an overlay and applies it to a document.
 * @param file the file's name in error messages
 * @throws {DescriptionError} if an action selects nothing
 */
export function parseOverlay(text: string, file: string, document: Json): ParsedOverlay {
  const lines = new LineCounter();
  const tree = parseDocument(text, { lineCounter: lines });
  if (tree.errors[0]) throw new DescriptionError(`${file}: ${tree.errors[0].message}`);
  const { actions } = (tree.toJS() ?? {}) as { actions?: Action[] | null };
  try {
    const applied = applyOverlay(document, actions ?? []);
    const { positions } = parseYaml(text, file);
    const locate = (pointer: string): Location | undefined => {
      const position = findStatement(positions, applied, pointer);
      return position && [file, ...position];
    };
    return { ...applied, locate };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    const node = tree.getIn(["actions", error.index], true) as { range?: [number] } | undefined;
    const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
    throw new DescriptionError(`${file}:${line}:${col}: ${error.message}`);
  }
}

/** Finds the position at which an overlay states a value or the closest enclosing value that the overlay states. */
function findStatement(
  positions: Yaml["positions"],
  { actions, locations }: AppliedOverlay,
  pointer: string,
) {
  const index = locations.findLastIndex(
    (own, action) => !actions[action]!.remove && own.some((each) => isWithin(pointer, each)),
  );
  if (index < 0) return undefined;
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

function applyAction(holder: Container, { target, update, remove }: Action): string[] {
  if (update === undefined && remove !== true) throw new Error('needs "update" or "remove"');
  const locations = query(target, holder.$!).locations();
  if (locations.length === 0) throw new Error("the target matches nothing; correct the target");
  // Starts with the last location, because removing a list item shifts the items after the removed item.
  return locations.toReversed().flatMap((location) => {
    const path = ["$", ...location];
    const key = path.pop()!;
    const parent = path.reduce((value, name) => value[name] as Container, holder);
    if (!remove) return merge(parent, key, structuredClone(update!), location);
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

function isMap(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toPointer(path: Path): string {
  return path.map(toReferenceToken).join("");
}
