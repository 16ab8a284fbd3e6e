import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "../running/free-port.ts";
import { skipWithout } from "../running/skip-without.ts";

export interface JaegerSpan {
  readonly spanID: string;
  readonly operationName: string;
  readonly references: readonly { readonly refType: string; readonly spanID: string }[];
  readonly tags: readonly { readonly key: string; readonly value: unknown }[];
}

/** A Jaeger that keeps traces in memory: the receiver of an OpenTelemetry collector, and the API that shows them. */
export interface Jaeger {
  /** For OTLP/HTTP. */
  readonly url: string;
  /** The spans of a trace; none while it is unknown. */
  readonly spansOf: (traceId: string) => Promise<readonly JaegerSpan[]>;
  readonly stop: () => Promise<void>;
}

/** Whether tests that send to Jaeger are skipped. */
export function skipWithoutJaeger(): boolean {
  const isPresent = spawnSync("jaeger", ["version"]).status === 0;
  return skipWithout(isPresent, { dependency: "Jaeger", untested: "traces in a real collector" });
}

/** Starts Jaeger with its settings in `folder`. */
export async function startJaeger(folder: string): Promise<Jaeger> {
  const [otlp, http, grpc] = [await freePort(), await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
  const settings = {
    service: {
      extensions: ["jaeger_storage", "jaeger_query"],
      pipelines: { traces: { receivers: ["otlp"], exporters: ["jaeger_storage_exporter"] } },
      telemetry: { metrics: { level: "none" } },
    },
    extensions: {
      jaeger_query: { storage: { traces: "memory" }, http: { endpoint: http }, grpc: { endpoint: grpc } },
      jaeger_storage: { backends: { memory: { memory: { max_traces: 100 } } } },
    },
    receivers: { otlp: { protocols: { http: { endpoint: otlp } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: "memory" } },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "jaeger.yaml"), JSON.stringify(settings));
  const running = spawn("jaeger", ["--config", "jaeger.yaml"], { cwd: folder, stdio: "ignore" });
  await vi.waitFor(() => fetch(`http://${http}/api/services`), { timeout: 20_000, interval: 100 });
  return {
    url: `http://${otlp}`,
    spansOf: async (traceId) => {
      const response = await fetch(`http://${http}/api/traces/${traceId}`);
      const { data } = (await response.json()) as {
        readonly data: readonly { readonly spans: readonly JaegerSpan[] }[] | null;
      };
      return (data ?? []).flatMap(({ spans }) => spans);
    },
    stop: async () => {
      const closed = once(running, "close");
      running.kill("SIGKILL");
      await closed;
    },
  };
}
