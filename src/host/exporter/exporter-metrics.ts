import type { Counter } from "prom-client";
import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import { MetricRegistry } from "../metrics/metric-registry.ts";

/** Values that are read at each scrape. */
export interface ExporterGauges {
  readonly bufferBytes: () => number;
  readonly spoolBytes: () => number;
  readonly waitingSegments: () => number;
  readonly isLeading: () => boolean;
  /** Since when the queue has accepted nothing, on the monotonic clock. */
  readonly failingSince: () => number | undefined;
  /** The instant up to which accepted segments cover the cluster, by its own clock. */
  readonly acknowledgedUntil: () => number | undefined;
}

/** The metrics of one exporter, with Prometheus names: base units, and `_total` for counters. */
export class ExporterMetrics {
  readonly registry = new MetricRegistry("outlive_exporter_");
  readonly #clock: Clock;
  readonly #heardAt = new Map<string, number>();
  readonly #events = this.#counter("watch_events_total", "Events read from the API server", ["resource"]);
  readonly #watchBytes = this.#counter("watch_bytes_total", "Bytes read from the API server", ["resource"]);
  readonly #relists = this.#counter("relists_total", "Lists that were needed because a watch could not continue", [
    "resource",
    "cause",
  ]);
  readonly #reopened = this.#counter("watch_reopened_total", "Watches that were silent and were reopened", [
    "resource",
  ]);
  readonly #gapSeconds = this.#counter("gap_seconds_total", "Seconds in recorded monitoring gaps", ["resource"]);
  readonly #gaps = this.#counter("gaps_total", "Monitoring gaps that were recorded", ["resource"]);
  readonly #problems = this.#counter("watch_problems_total", "Requests to the API server that failed", ["resource"]);
  readonly #rejected = this.#counter("rejected_objects_total", "Objects that cannot be read", ["resource"]);
  readonly #facts = this.#counter("facts_total", "Facts by outcome", ["outcome"]);
  readonly #segments = this.#counter("segments_total", "Segments that the queue accepted", []);
  readonly #bytes = this.#counter("segment_bytes_total", "Compressed bytes that the queue accepted", []);
  readonly #failures = this.#counter("send_failures_total", "Failed sends, which are repeated", []);
  readonly #stalledSeconds = this.#counter(
    "stalled_seconds_total",
    "Seconds in which reading paused because buffer and spool were full",
    [],
  );
  readonly #requests = this.#counter("audit_events_total", "Audit events by outcome", ["outcome"]);
  readonly #waited = this.registry.histogram(
    { name: "send_seconds", help: "Seconds from sealing a segment until the queue accepted it" },
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  );

  constructor(clock: Clock, gauges: ExporterGauges) {
    this.#clock = clock;
    const { registry } = this;
    registry.gauge("buffer_bytes", "Compressed bytes that wait in memory", gauges.bufferBytes);
    registry.gauge("spool_bytes", "Bytes that wait on disk", gauges.spoolBytes);
    registry.gauge("waiting_segments", "Segments that wait, in memory and on disk", gauges.waitingSegments);
    registry.gauge("leading", "1 if this replica leads and sends", () => (gauges.isLeading() ? 1 : 0));
    registry.gauge("queue_failing_seconds", "Seconds since which the queue has accepted nothing", () => {
      const since = gauges.failingSince();
      return since === undefined ? 0 : (clock.elapsed() - since) / 1000;
    });
    registry.gauge("lag_seconds", "Seconds by which accepted facts are behind the cluster's clock", () => {
      const until = gauges.acknowledgedUntil();
      return until === undefined ? Number.NaN : Math.max(0, (clock.now() - until) / 1000);
    });
    this.#watchAge();
  }

  readonly onCapture = (event: CaptureEvent): void => {
    this.#onCaptureOf(event.resource ?? "cluster", event);
  };

  #onCaptureOf(resource: string, event: CaptureEvent): void {
    switch (event.kind) {
      case "heard":
        this.#heardAt.set(resource, this.#clock.elapsed());
        this.#events.inc({ resource }, event.events);
        this.#watchBytes.inc({ resource }, event.bytes);
        return;
      case "relisting":
        this.#relists.inc({ resource, cause: event.cause });
        return;
      case "gap":
        this.#gaps.inc({ resource });
        this.#gapSeconds.inc({ resource }, event.millis / 1000);
        return;
      case "stalled":
        this.#reopened.inc({ resource });
        return;
      case "problem":
        this.#problems.inc({ resource });
        return;
      case "rejected":
        this.#rejected.inc({ resource });
        return;
      case "removed":
        this.#heardAt.delete(resource);
        return;
      case "listed":
      case "watching":
        this.#heardAt.set(resource, this.#clock.elapsed());
    }
  }

  readonly onDelivery = (event: DeliveryEvent): void => {
    switch (event.kind) {
      case "accepted":
        this.#onAccepted(event);
        return;
      case "refused":
        this.#facts.inc({ outcome: "refused" }, event.facts);
        return;
      case "unreachable":
        this.#failures.inc();
        return;
      case "resumed":
        this.#stalledSeconds.inc(event.stalledMillis / 1000);
        return;
      case "spooled":
      case "stalled":
      case "leading":
      case "standingBy":
      case "leaseUnknown":
    }
  };

  #onAccepted({ facts, segments, bytes, waitedMillis }: Extract<DeliveryEvent, { readonly kind: "accepted" }>): void {
    this.#facts.inc({ outcome: "accepted" }, facts);
    this.#segments.inc(segments);
    this.#bytes.inc(bytes);
    if (waitedMillis !== undefined) this.#waited.observe(waitedMillis / 1000);
  }

  onCaptured(facts: number): void {
    this.#facts.inc({ outcome: "captured" }, facts);
  }

  onAudit(outcome: "taken" | "ignored" | "rejected"): void {
    this.#requests.inc({ outcome });
  }

  #counter<Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label> {
    return this.registry.counter({ name, help, labels });
  }

  #watchAge(): void {
    const definition = { name: "watch_age_seconds", help: "Seconds since the last byte of a watch" };
    this.registry.gauges({ ...definition, labels: ["resource"] }, async () =>
      [...this.#heardAt].map(([resource, at]) => ({
        labels: { resource },
        value: (this.#clock.elapsed() - at) / 1000,
      })),
    );
  }
}
