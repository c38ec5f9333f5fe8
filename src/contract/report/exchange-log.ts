import type { Sequence, ReportExchange } from "./create-report.js";

/** What a run keeps about an exchange. */
export type LoggedExchange = Omit<ReportExchange, "outcome">;

/** A list to which exchanges are added. */
export interface ExchangeLog extends Sequence<LoggedExchange> {
  add: (exchange: LoggedExchange) => void;
}

/**
 * Creates a list that needs little memory for each exchange, because a large HAR has hundreds of thousands: exchanges
 * with the same operation and findings share them, and the names of a HAR's entries share the name of the file.
 */
export function createExchangeLog(): ExchangeLog {
  const files: string[] = [];
  const numbers: number[] = [];
  const contents: Omit<LoggedExchange, "name">[] = [];
  const shared = new Map<string, Omit<LoggedExchange, "name">>();
  return {
    add({ name, ...content }) {
      const [, file = name, number = 0] = /^(.*)#([1-9]\d{0,8})$/s.exec(name) ?? [];
      const last = files.at(-1);
      files.push(file === last ? last : file);
      numbers.push(Number(number));
      const key = JSON.stringify(content);
      if (!shared.has(key)) shared.set(key, content);
      contents.push(shared.get(key)!);
    },
    get length() {
      return files.length;
    },
    *[Symbol.iterator]() {
      for (const [index, file] of files.entries()) {
        const number = numbers[index]!;
        yield { name: number === 0 ? file : `${file}#${number}`, ...contents[index]! };
      }
    },
  };
}
