import { embeddedMetrics } from "../../src/host/runtime/embedded-metrics.ts";
import { createJournal, type Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric, MetricName } from "../../src/ports/deployment/metrics.ts";

/** What every function has besides its stores. */
export interface FunctionRuntime {
  readonly logger: Journal;
  readonly count: CountMetric;
  /** Prints metrics of a cluster. */
  readonly publishOf: (cluster: string, counts: ReadonlyMap<MetricName, number>) => void;
  /** Sets the request id of the following log lines. */
  readonly beginRequest: (requestId: string) => void;
  /** Prints the counters since the last call. */
  readonly publishCounts: () => void;
}

/**
 * Created once per process. Lines are not written with `console`, because Lambda adds a prefix to it, and CloudWatch
 * extracts metrics only from lines that are pure JSON. Lambda filters such lines by `level`, if `timestamp` is valid
 * (Developer Guide, "Log-level filtering").
 */
export function openRuntime(
  service: string,
  stage: string,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): FunctionRuntime {
  const counts = new Map<MetricName, number>();
  let requestId: string | undefined;
  return {
    logger: createJournal(write, Date.now, () => ({ timestamp: new Date().toISOString(), service, stage, requestId })),
    count: (name, added) => counts.set(name, (counts.get(name) ?? 0) + added),
    publishOf: (cluster, counted) => write(embeddedMetrics(counted, { stage, now: Date.now(), cluster })),
    beginRequest: (id) => {
      requestId = id;
    },
    publishCounts: () => {
      if (counts.size > 0) write(embeddedMetrics(counts, { stage, now: Date.now() }));
      counts.clear();
    },
  };
}
