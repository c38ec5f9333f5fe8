/** Says how far long work is. */
export interface Progress {
  /** One more exchange has been judged. */
  tick(): void;
  /** Takes the line away. */
  end(): void;
}

/** Milliseconds between two updates, so that a terminal does not slow the work down. */
const INTERVAL = 200;

/** Shows a counter on a terminal, and nothing anywhere else. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { tick() {}, end() {} };
  let [count, shown] = [0, Date.now()];
  return {
    tick() {
      count += 1;
      if (Date.now() - shown < INTERVAL) return;
      shown = Date.now();
      stream.write(`\r${count} exchanges judged `);
    },
    end: () => void stream.write("\r\u001B[K"),
  };
}
