import { at, step } from "../../../src/contract/engine/pointer.js";
import type { ContractConfig, Json } from "../../../src/contract/engine/types.js";

/** A pointer into the description, and where a configuration holds it. */
interface Named {
  pointer: string;
  place: string;
}

/** What a configuration names and a description does not have. */
export function strayPointers(document: Json, config: ContractConfig): Named[] {
  return [...pointersOf(config)].filter(({ pointer }) => at(document, pointer) === undefined);
}

function* pointersOf({ occurs, open, coverage, waivers }: ContractConfig): Generator<Named> {
  for (const pointer of Object.keys(occurs)) yield { pointer, place: `/occurs${step(pointer)}` };
  for (const [index, pointer] of open.entries()) yield { pointer, place: `/open/${index}` };
  for (const [dimension, reasons] of Object.entries(coverage.reasons)) {
    for (const item of Object.keys(reasons)) {
      // An item is a name, or a pointer that a value may follow.
      const [pointer = ""] = item.split(" ");
      if (!pointer.startsWith("/")) continue;
      yield { pointer, place: `/coverage/reasons${step(dimension)}${step(item)}` };
    }
  }
  for (const [index, { spec }] of waivers.entries()) {
    yield { pointer: spec, place: `/waivers/${index}/spec` };
  }
}
