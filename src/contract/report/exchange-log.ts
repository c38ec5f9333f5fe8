import type { Sequence, ReportExchange } from "./create-report.js";

/** What a run keeps about an exchange. */
export type LoggedExchange = Omit<ReportExchange, "outcome">;

/** A list to which exchanges are added. */
export interface ExchangeLog extends Sequence<LoggedExchange> {
  add: (exchange: LoggedExchange) => void;
}

/** The number of exchanges in a block. A list of blocks grows without a copy of its content. */
const BLOCK_SIZE = 4096;
/** An exchange is stored as three numbers: the file, the number in the file, and the content. */
const WIDTH = 3;

/**
 * Creates a list that needs 12 bytes for each exchange, because a large HAR has hundreds of thousands: exchanges with the
 * same operation and findings share them, and the names of a HAR's entries share the name of the file.
 */
export function createExchangeLog(): ExchangeLog {
  const files: string[] = [];
  const contents: Omit<LoggedExchange, "name">[] = [];
  const indexes = new Map<string, number>();
  const blocks: Uint32Array[] = [];
  let length = 0;
  return {
    add({ name, ...content }) {
      const [, file = name, number = 0] = /^(.*)#([1-9]\d{0,8})$/s.exec(name) ?? [];
      if (files.at(-1) !== file) files.push(file);
      const key = JSON.stringify(content);
      const index = indexes.get(key) ?? contents.push(content) - 1;
      indexes.set(key, index);
      const at = length % BLOCK_SIZE;
      if (at === 0) blocks.push(new Uint32Array(BLOCK_SIZE * WIDTH));
      blocks.at(-1)!.set([files.length - 1, Number(number), index], at * WIDTH);
      length += 1;
    },
    get length() {
      return length;
    },
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row += 1) {
        const block = blocks[Math.floor(row / BLOCK_SIZE)]!;
        const [file, number, index] = block.subarray((row % BLOCK_SIZE) * WIDTH);
        const name = files[file!]!;
        yield { name: number === 0 ? name : `${name}#${number}`, ...contents[index!]! };
      }
    },
  };
}
