export interface Interruption {
  readonly isStopped: () => boolean;
  /** From now on, a signal ends the process at once. */
  readonly end: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The first Ctrl-C only asks the work to stop, so that it can leave nothing switched on. A second one ends the process
 * at once.
 */
export function interruption(onStop: () => void): Interruption {
  let isStopped = false;
  const stop = (): void => {
    end();
    isStopped = true;
    onStop();
  };
  const end = (): void => {
    for (const name of SIGNALS) process.removeListener(name, stop);
  };
  for (const name of SIGNALS) process.on(name, stop);
  return { isStopped: () => isStopped, end };
}
