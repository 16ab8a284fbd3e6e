import { describe, expect, it } from "vitest";
import { condition, running, second, terminated } from "../../support/story/pod-status.ts";
import {
  added,
  deleted,
  factsOf,
  kindsOf,
  podObject,
  toldOf,
  TRACKING_FINALIZER,
} from "../../support/kubernetes/watch-objects.ts";

describe("a Pod that runs", () => {
  const status = {
    phase: "Running",
    startTime: "2026-11-21T08:24:44Z",
    conditions: [condition("PodScheduled", "True", "08:24:44"), condition("Ready", "True", "08:24:46")],
    containerStatuses: [running("work", "08:24:46")],
  };
  const event = added(podObject({ spec: { nodeName: "node-a", containers: [{ name: "work" }] }, status }));

  it("was scheduled and started", () => {
    expect(toldOf("PodScheduled", event)).toEqual([{ node: "node-a", scheduledAt: second("08:24:44") }]);
    expect(toldOf("PodStarted", event)).toEqual([{ startedAt: second("08:24:46") }]);
  });

  it("is ready, with all its containers running", () => {
    expect(toldOf("PodObserved", event)).toEqual([{ phase: "Running", ready: true, restarts: 0 }]);
  });

  it("is as late as the latest instant it names", () => {
    expect(factsOf(event)[0]?.at).toBe(second("08:24:46"));
  });

  it("started when the kubelet accepted it, if no container has a start time", () => {
    const silent = added(podObject({ status: { phase: "Running", startTime: "2026-11-21T08:24:44Z" } }));
    expect(toldOf("PodStarted", silent)).toEqual([{ startedAt: second("08:24:44"), accepted: true }]);
  });

  it("names the containers that still run once one has ended", () => {
    const containerStatuses = [
      running("sidecar", "08:24:45"),
      { name: "work", state: terminated(0, "08:24:45", "08:24:50"), restartCount: 0 },
    ];
    const observed = toldOf("PodObserved", added(podObject({ status: { ...status, containerStatuses } })));
    expect(observed[0]).toMatchObject({ running: ["sidecar"] });
  });

  it("has no running containers if all have ended", () => {
    const containerStatuses = [{ name: "work", state: terminated(0, "08:24:45", "08:24:50"), restartCount: 0 }];
    expect(toldOf("PodObserved", added(podObject({ status: { ...status, containerStatuses } })))[0]).toMatchObject({
      running: [],
    });
  });

  it("has no running containers where its status lists none", () => {
    const observed = toldOf("PodObserved", added(podObject({ status: { phase: "Running" } })));
    expect(observed).toEqual([{ phase: "Running", ready: false, restarts: 0 }]);
  });

  it("has the instant since which it is not ready", () => {
    const conditions = [condition("Ready", "False", "08:25:01")];
    expect(toldOf("PodObserved", added(podObject({ status: { ...status, conditions } })))[0]).toMatchObject({
      ready: false,
      unreadySince: second("08:25:01"),
    });
  });
});

describe("a Pod whose phase is terminal", () => {
  const failed = {
    phase: "Failed",
    reason: "Evicted",
    message: "The node was low on resource: memory.",
    conditions: [
      condition("Ready", "False", "08:24:51", { reason: "PodFailed" }),
      condition("DisruptionTarget", "True", "08:24:50", { reason: "TerminationByKubelet", message: "low on memory" }),
    ],
    containerStatuses: [running("work", "08:24:46")],
  };

  it("has ended, with its conditions; standard conditions have only their status", () => {
    expect(toldOf("PodTerminated", added(podObject({ status: failed })))).toEqual([
      {
        phase: "Failed",
        reason: "Evicted",
        details: { about: "eviction", resource: "memory" },
        conditions: [
          { type: "Ready", status: "False", lastTransitionAt: second("08:24:51") },
          {
            type: "DisruptionTarget",
            status: "True",
            reason: "TerminationByKubelet",
            lastTransitionAt: second("08:24:50"),
          },
        ],
        tracked: true,
        stillRunning: ["work"],
      },
    ]);
  });

  it("was disrupted if its condition is True", () => {
    expect(toldOf("PodDisrupted", added(podObject({ status: failed })))).toEqual([
      { reason: "TerminationByKubelet", disruptedAt: second("08:24:50") },
    ]);
  });

  it("is not observed as alive", () => {
    expect(kindsOf(added(podObject({ status: { phase: "Succeeded" } })))).not.toContain("PodObserved");
  });

  it.each(["Succeeded", "Failed"])("is untracked after it %s once the finalizer is gone", (phase) => {
    expect(kindsOf(added(podObject({ metadata: { finalizers: [] }, status: { phase } })))).toEqual([
      "PodCreated",
      "PodUntracked",
      "PodTerminated",
    ]);
  });

  it("keeps 16 conditions, and is marked as truncated", () => {
    const conditions = Array.from({ length: 20 }, (_, number) => condition(`Custom${number}`, "True", "08:24:51"));
    const [told] = toldOf("PodTerminated", added(podObject({ status: { phase: "Failed", conditions } })));
    expect(told?.conditions).toHaveLength(16);
    expect(told?.truncated).toBe(true);
  });
});

describe("a Pod that is being deleted", () => {
  const metadata = { deletionTimestamp: "2026-11-21T08:25:30Z", deletionGracePeriodSeconds: 30 };

  it("has its deletion request one grace period before the deletionTimestamp", () => {
    expect(toldOf("PodDeletionRequested", added(podObject({ metadata, status: { phase: "Running" } })))).toEqual([
      { requestedAt: second("08:25:00"), graceSeconds: 30, phase: "Running", tracked: true },
    ]);
  });

  it("is as late as the request, not as the deletionTimestamp that lies ahead", () => {
    expect(factsOf(added(podObject({ metadata })))[0]?.at).toBe(second("08:25:00"));
  });

  it("has no finalizer if it was released first", () => {
    expect(
      toldOf("PodDeletionRequested", added(podObject({ metadata: { ...metadata, finalizers: [] } })))[0],
    ).toMatchObject({ tracked: false });
  });
});

describe("a Pod that is gone", () => {
  it.each([
    ["with the finalizer still listed", [TRACKING_FINALIZER], true, true],
    ["without it", [], false, false],
  ])("%s is deleted and never untracked by that", (_, finalizers, tracked, hasTracked) => {
    const event = deleted(podObject({ metadata: { finalizers } }));
    expect(toldOf("PodDeleted", event)).toEqual([{ tracked }]);
    expect(kindsOf(event).includes("PodTracked")).toBe(hasTracked);
    expect(kindsOf(event)).not.toContain("PodUntracked");
  });
});
