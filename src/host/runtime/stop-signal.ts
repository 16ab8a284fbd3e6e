/**
 * Resolves with the first signal that asks the process to stop; a second one ends it at once, as Node does of itself.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const name of SIGNALS) process.removeListener(name, stop);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, stop);
  });
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
