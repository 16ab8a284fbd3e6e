import { Hono } from "hono";
import { exposition, METRIC_MEDIA_TYPES, preferredFormat } from "../../count/metrics/render-metrics.ts";
import type { MetricRegistry } from "../metrics/metric-registry.ts";

export interface OperationsOptions {
  readonly registry: Pick<MetricRegistry, "text">;
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
    const body = exposition([await registry.text(format)], format);
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
