import { SingleBar } from "cli-progress";

export interface Progress {
  /** Shows that `done` of `total` is done. */
  readonly at: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** Shows a progress bar on standard error if that is a terminal. */
export function showProgress(what: string): Progress {
  if (!process.stderr.isTTY) return { at: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format: `${what} {bar} {percentage} % ({value} of {total}) {duration_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    etaBuffer: 50,
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
  });
  let started = false;
  return {
    at: (done, total) => {
      if (!started) bar.start(total, done);
      else bar.setTotal(total);
      started = true;
      bar.update(done);
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}
