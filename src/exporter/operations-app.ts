import { Hono } from "hono";
import type { Registry } from "prom-client";

export interface OperationsOptions {
  readonly registry: Registry;
  /** Why it is not ready; none where it is. */
  readonly reasons: () => readonly string[];
  /** What does not keep it from being ready. */
  readonly problems: () => readonly string[];
}

/** What Prometheus and the kubelet ask. Nothing of the cluster is in it but counts. */
export function operationsApp({ registry, reasons, problems }: OperationsOptions): Hono {
  const app = new Hono();
  app.get("/metrics", async (context) =>
    context.body(await registry.metrics(), 200, { "content-type": registry.contentType }),
  );
  // That it answers says that it lives: what is not well in the cluster or the queue is not mended by a restart.
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", (context) => {
    const said = reasons();
    return said.length === 0 ? context.text(lines(["ok", ...problems()])) : context.text(lines(said), 503);
  });
  return app;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}
