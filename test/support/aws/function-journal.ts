import type { Journal } from "../../../src/ports/runtime/journal.ts";
import type { CountMetric, MetricName } from "../../../src/ports/deployment/metrics.ts";

/** Records the counters and log lines of a function, and gives it enough time. */
export class FunctionJournal {
  readonly counts: Partial<Record<MetricName, number>> = {};
  readonly lines: string[] = [];
  remainingMillis = 300_000;

  readonly count: CountMetric = (name, added) => {
    this.counts[name] = (this.counts[name] ?? 0) + added;
  };
  readonly logger: Journal = {
    info: (message) => void this.lines.push(`INFO ${message}`),
    warn: (message, fields) => void this.lines.push(`WARN ${message} ${JSON.stringify(fields ?? {})}`),
    error: (message, fields) => void this.lines.push(`ERROR ${message} ${JSON.stringify(fields ?? {})}`),
  };
  readonly context = { getRemainingTimeInMillis: () => this.remainingMillis, functionVersion: "7" };
}
