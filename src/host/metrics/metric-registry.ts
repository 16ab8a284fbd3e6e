import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { MetricFormat } from "../../count/metrics/render-metrics.ts";

/** The value of a gauge for one set of labels. */
export interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** What a counter or a histogram is. */
export interface MetricDefinition<Label extends string> {
  /** Without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** Gauges with the suffix of counters, which promtool refuses. Each is the sum of another metric over its types. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** The metrics of a process, with a prefix, and the standard ones of Node and the process. */
export class MetricRegistry {
  readonly #registry = new Registry();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }

  counter<Label extends string>({ name, help, labels = [] }: MetricDefinition<Label>): Counter<Label> {
    return new Counter({ name: this.#prefix + name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  histogram<Label extends string>(
    { name, help, labels = [] }: MetricDefinition<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    const options = { name: this.#prefix + name, help, labelNames: [...labels], registers: [this.#registry] };
    return new Histogram({ ...options, buckets: [...buckets] });
  }

  /** A gauge without labels that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: this.#prefix + name,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    });
  }

  /** A gauge with labels that is read at each scrape. Sets of labels that `read` does not return are absent. */
  gauges<Label extends string>(
    { name, help, labels = [] }: MetricDefinition<Label>,
    read: () => Promise<readonly LabelledValue<Label>[]>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name: this.#prefix + name,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: async () => {
        const values = await read();
        gauge.reset();
        for (const one of values) gauge.set(one.labels, one.value);
      },
    });
  }

  /** All metrics in this format, without the end of the exposition. */
  async text(format: MetricFormat): Promise<string> {
    const lines = (await this.#registry.metrics()).split("\n").filter((line) => line !== "");
    const shown = format === "openmetrics" ? openMetricsLines(lines) : lines;
    return shown.map((line) => `${line}\n`).join("");
  }
}

/**
 * The text format of Prometheus as OpenMetrics 1.0: the family of a counter is declared without its suffix `_total`.
 * `prom-client` can write OpenMetrics itself, but then renames the counters for all later scrapes.
 */
function openMetricsLines(lines: readonly string[]): readonly string[] {
  const counters = new Set(lines.flatMap((line) => COUNTER.exec(line)?.[1] ?? []));
  return lines.map((line) => {
    const name = DECLARATION.exec(line)?.[1];
    return name !== undefined && counters.has(name) ? line.replace(`${name}_total `, `${name} `) : line;
  });
}

const COUNTER = /^# TYPE (\S+)_total counter$/;
const DECLARATION = /^# (?:HELP|TYPE) (\S+)_total /;
