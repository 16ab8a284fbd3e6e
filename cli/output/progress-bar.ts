export interface Progress {
  /** Shows that `done` of `total` is done. */
  readonly at: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** What a bar is written to. */
export interface Terminal {
  readonly isTTY: boolean;
  write(text: string): unknown;
}

const WIDTH = 40;
/** The cursor goes to the beginning of the line, and the line is emptied. */
const CLEAR_LINE = "\r\u001b[K";

/** Shows a progress bar on standard error if that is a terminal. The bar disappears at the end. */
export function showProgress(what: string, terminal: Terminal = process.stderr): Progress {
  let shown: number | undefined;
  return {
    at: (done, total) => {
      const percentage = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 100;
      // A line for each percentage: callers report every item.
      if (!terminal.isTTY || percentage === shown) return;
      shown = percentage;
      const bar = "\u2588".repeat((WIDTH * percentage) / 100).padEnd(WIDTH, "\u2591");
      terminal.write(`${CLEAR_LINE}${what} ${bar} ${percentage} % (${done} of ${total})`);
    },
    stop: () => {
      if (shown !== undefined) terminal.write(CLEAR_LINE);
      shown = undefined;
    },
  };
}
