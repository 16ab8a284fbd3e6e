import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { ExporterMetrics } from "../../src/exporter/exporter-metrics.ts";
import { operationsApp } from "../../src/exporter/operations-app.ts";
import { Readiness } from "../../src/exporter/readiness.ts";
import { ManualClock } from "../support/running/manual-clock.ts";

const well = { failingMillis: 0, isWaiting: false };

describe("readiness", () => {
  it("is there once Jobs and Pods are watched", () => {
    const readiness = new Readiness();
    expect(readiness.reasons(well)).toEqual(["jobs are not yet watched.", "pods are not yet watched."]);
    readiness.onCapture({ kind: "watching", resource: "jobs", resumed: true });
    readiness.onCapture({ kind: "watching", resource: "pods", resumed: true });
    expect(readiness.reasons(well)).toEqual([]);
  });

  it("says which permission is missing, in the words of the watch", () => {
    const readiness = new Readiness();
    readiness.onCapture({ kind: "watching", resource: "jobs", resumed: true });
    readiness.onCapture({ kind: "problem", resource: "pods", message: "Grant pods.", retryInMillis: 1 });
    expect(readiness.reasons(well)).toEqual(["Grant pods."]);
  });

  it("does not depend on a resource that explains only, and still tells of it", () => {
    const readiness = new Readiness();
    for (const resource of ["jobs", "pods"] as const)
      readiness.onCapture({ kind: "watching", resource, resumed: true });
    readiness.onCapture({ kind: "problem", resource: "nodes", message: "Grant nodes.", retryInMillis: 1 });
    expect(readiness.reasons(well)).toEqual([]);
    expect(readiness.problems).toEqual(["Grant nodes."]);
  });

  it("ends when the queue has accepted nothing for more than a minute", () => {
    const readiness = new Readiness();
    for (const resource of ["jobs", "pods"] as const)
      readiness.onCapture({ kind: "watching", resource, resumed: true });
    expect(readiness.reasons({ ...well, failingMillis: 60_000 })).toEqual([]);
    expect(readiness.reasons({ ...well, failingMillis: 61_000 })).toEqual(["The queue has accepted nothing for 61 s."]);
  });

  it("does not ask a replica to watch that waits for the first leader", () => {
    expect(new Readiness().reasons({ ...well, isWaiting: true })).toEqual([]);
  });
});

function app(reasons: readonly string[]) {
  return operationsApp({ registry: new Registry(), reasons: () => reasons, problems: () => ["Grant nodes."] });
}

describe("what the kubelet and Prometheus ask", () => {
  it("is well as long as it answers", async () => {
    expect((await app(["Not yet."]).request("/healthz")).status).toBe(200);
  });

  it("is ready, or says why not", async () => {
    const ready = await app([]).request("/readyz");
    expect([ready.status, await ready.text()]).toEqual([200, "ok\nGrant nodes.\n"]);
    const waiting = await app(["Not yet."]).request("/readyz");
    expect([waiting.status, await waiting.text()]).toEqual([503, "Not yet.\n"]);
  });

  it("counts what is read, sent and missed", async () => {
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
    const text = await metrics.registry.metrics();
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
    // A watch that was silent and was opened again is no list.
    expect(text.match(/^outlive_exporter_relists_total\{/gm)).toHaveLength(1);
  });
});
