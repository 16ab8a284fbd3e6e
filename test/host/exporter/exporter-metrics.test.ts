import { describe, expect, it } from "vitest";
import { ExporterMetrics } from "../../../src/host/exporter/exporter-metrics.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

describe("the metrics of an exporter", () => {
  it("count events, facts, segments, gaps and failures", async () => {
    const clock = new ManualClock();
    const metrics = new ExporterMetrics(clock, {
      bufferBytes: () => 17,
      spoolBytes: () => 18,
      waitingSegments: () => 19,
      isLeading: () => true,
      failingSince: () => 0,
      acknowledgedUntil: () => clock.now() - 3000,
    });
    metrics.onCaptured(7);
    metrics.onCapture({ kind: "heard", resource: "pods", events: 5, bytes: 500 });
    metrics.onCapture({ kind: "relisting", resource: "pods", cause: "expired" });
    metrics.onCapture({ kind: "stalled", resource: "pods", millis: 30_000 });
    metrics.onCapture({ kind: "gap", resource: "pods", millis: 1500, reason: "It was blind." });
    metrics.onDelivery({ kind: "accepted", segments: 2, facts: 6, bytes: 300, waitedMillis: 40 });
    metrics.onDelivery({ kind: "refused", reason: "No.", facts: 1 });
    metrics.onDelivery({ kind: "unreachable", reason: "Away.", attempt: 1, segments: 1 });
    metrics.onAudit("taken");
    await clock.advance(2000);
    const text = await metrics.registry.text("prometheus");
    for (const line of [
      'facts_total{outcome="captured"} 7',
      'facts_total{outcome="accepted"} 6',
      'facts_total{outcome="refused"} 1',
      "segments_total 2",
      "segment_bytes_total 300",
      "send_failures_total 1",
      'relists_total{resource="pods",cause="expired"} 1',
      'watch_reopened_total{resource="pods"} 1',
      'gap_seconds_total{resource="pods"} 1.5',
      'watch_events_total{resource="pods"} 5',
      'watch_age_seconds{resource="pods"} 2',
      'audit_events_total{outcome="taken"} 1',
      "buffer_bytes 17",
      "spool_bytes 18",
      "waiting_segments 19",
      "leading 1",
      "queue_failing_seconds 2",
      "lag_seconds 3",
      'send_seconds_bucket{le="0.05"} 1',
    ]) {
      expect(text).toContain(`outlive_exporter_${line}\n`);
    }
    // A watch that was silent and reopened is not a list.
    expect(text.match(/^outlive_exporter_relists_total\{/gm)).toHaveLength(1);
    metrics.onCapture({ kind: "removed", resource: "pods" });
    expect(await metrics.registry.text("prometheus")).not.toContain("watch_age_seconds{");
  });
});
