import { Hono } from "hono";
import type { Registry } from "prom-client";
import { METRIC_MEDIA_TYPES, preferredFormat } from "../../count/metrics/render-metrics.ts";

export interface OperationsOptions {
  readonly registry: Registry;
  /** Why the exporter is not ready; empty if it is. */
  readonly reasons: () => readonly string[];
  /** Problems that do not affect readiness. */
  readonly problems: () => readonly string[];
}

/** Metrics for Prometheus and probes for the kubelet. Of the cluster's data, they contain only counts. */
export function operationsApp({ registry, reasons, problems }: OperationsOptions): Hono {
  const app = new Hono();
  app.get("/metrics", async (context) => {
    const format = preferredFormat(context.req.header("accept") ?? "");
    const text = await registry.metrics();
    const body = format === "openmetrics" ? openMetricsText(text) : text;
    return context.body(body, 200, { "content-type": METRIC_MEDIA_TYPES[format] });
  });
  // The response itself shows that the process is alive. A restart fixes no problem of the cluster or the queue.
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", (context) => {
    const notReady = reasons();
    return notReady.length === 0 ? context.text(lines(["ok", ...problems()])) : context.text(lines(notReady), 503);
  });
  return app;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

/**
 * The text format of Prometheus as OpenMetrics 1.0: the family of a counter is declared without its suffix `_total`,
 * there are no empty lines, and the text has an end. `prom-client` can write OpenMetrics itself, but then renames the
 * counters for all later scrapes.
 */
export function openMetricsText(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const counters = new Set(lines.flatMap((line) => COUNTER.exec(line)?.[1] ?? []));
  const declared = lines.map((line) => {
    const name = DECLARATION.exec(line)?.[1];
    return name !== undefined && counters.has(name) ? line.replace(`${name}_total `, `${name} `) : line;
  });
  return `${[...declared, "# EOF"].join("\n")}\n`;
}

const COUNTER = /^# TYPE (\S+)_total counter$/;
const DECLARATION = /^# (?:HELP|TYPE) (\S+)_total /;
