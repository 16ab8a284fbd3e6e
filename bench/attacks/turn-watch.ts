/** What delayed the event loop of this thread most, since the last call of `take`. */
export interface LongestTurns {
  /** The longest time between two ticks, in milliseconds. */
  readonly elapsed: number;
  /**
   * The most CPU time that this thread used between two ticks, in milliseconds. On a busy machine, a thread also waits
   * for a core: then the elapsed time is long, and its own CPU time is not.
   */
  readonly computing: number;
}

/** How often the event loop is looked at. */
const TICK_MILLIS = 10;

/** Watches the event loop of this thread. */
export function watchTurns(): { take(): LongestTurns } {
  let longest: LongestTurns = { elapsed: 0, computing: 0 };
  let at = performance.now();
  let used = cpuMillis();
  setInterval(() => {
    const [now, cpu] = [performance.now(), cpuMillis()];
    longest = {
      elapsed: Math.max(longest.elapsed, now - at),
      computing: Math.max(longest.computing, Math.min(cpu - used, now - at)),
    };
    [at, used] = [now, cpu];
  }, TICK_MILLIS).unref();
  return {
    take() {
      const taken = longest;
      longest = { elapsed: 0, computing: 0 };
      return taken;
    },
  };
}

function cpuMillis(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
