import { embeddedMetrics } from "../../src/runtime/embedded-metrics.ts";
import { createJournal, type Journal } from "../../src/runtime/journal.ts";
import type { CountMetric, MetricName } from "../../src/deployment/metrics.ts";

/** What every function has of its clusterContext besides its stores. */
export interface FunctionRuntime {
  readonly logger: Journal;
  readonly count: CountMetric;
  /** Says which request the lines from now on are about. */
  readonly beginRequest: (requestId: string) => void;
  /** Prints what was counted since the last time. */
  readonly publishCounts: () => void;
}

/**
 * Made once for each process, when the function starts. Lines go past `console`, which Lambda makes put its own words before them: CloudWatch takes metrics
 * only from a line that is JSON from its first letter.
 */
export function openRuntime(
  service: string,
  stage: string,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): FunctionRuntime {
  const counts = new Map<MetricName, number>();
  let requestId: string | undefined;
  return {
    logger: createJournal(write, Date.now, () => ({ service, stage, requestId })),
    count: (name, added) => counts.set(name, (counts.get(name) ?? 0) + added),
    beginRequest: (id) => {
      requestId = id;
    },
    publishCounts: () => {
      if (counts.size > 0) write(embeddedMetrics(counts, { stage, now: Date.now() }));
      counts.clear();
    },
  };
}
