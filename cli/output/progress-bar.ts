import { SingleBar } from "cli-progress";

export interface Progress {
  /** `done` of `total`, in whatever is counted. */
  readonly at: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** A bar on standard error while long work runs, where that is a terminal; elsewhere nothing. */
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
