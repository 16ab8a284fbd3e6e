import { describe, expect, it } from "vitest";
import { holdKey, holdMillis } from "../../../src/kubernetes/delivery/fact-hold.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";
import { eventsOfJob } from "../../../bench/fleet/job-template.ts";

/** The longest time for which all facts of an event can wait, by event of a simulated Job. */
function holdsOf(end: "completes" | "fails") {
  const job = { end, cluster: "east", namespace: "team", name: "report", number: 1, lifetime: 60_000, ttl: 60_000 };
  return eventsOfJob(job, 0).flatMap(({ event }) => {
    const translated = translate(event);
    if (translated.outcome !== "translated") return [];
    return translated.facts.map((fact) => ({ kind: fact.kind, millis: holdMillis(fact), key: holdKey(fact), fact }));
  });
}

describe("facts that can wait for others of their Job", () => {
  it("are the beginning, progress, and the success of a Pod", () => {
    const waiting = holdsOf("completes").filter(({ millis }) => millis > 0);
    expect(new Set(waiting.map(({ kind }) => kind))).toEqual(
      new Set([
        "JobCreated",
        "JobSpecified",
        "PodCreated",
        "JobReported",
        "JobTracked",
        "PodTracked",
        "PodScheduled",
        "PodReserved",
        "PodObserved",
        "PodStarted",
        "ContainerEnded",
        "PodTerminated",
        "PodUntracked",
      ]),
    );
  });

  it("are not failures, ends and deletions", () => {
    const urgent = new Set(holdsOf("fails").flatMap(({ kind, millis }) => (millis === 0 ? [kind] : [])));
    for (const kind of ["ContainerEnded", "PodTerminated", "JobFinished", "JobDeleted"]) {
      expect(urgent).toContain(kind);
    }
  });

  it("are not restarts and reasons to wait", () => {
    const pod = holdsOf("completes").flatMap(({ fact }) => (fact.kind === "PodObserved" ? [fact] : []))[0];
    if (pod === undefined) throw new Error("The Job has no observed Pod.");
    expect(holdMillis(pod)).toBeGreaterThan(0);
    expect(holdMillis({ ...pod, restarts: 1 })).toBe(0);
    expect(holdMillis({ ...pod, waiting: { container: "work", reason: "ImagePullBackOff" } })).toBe(0);
    expect(holdMillis({ ...pod, unscheduled: { reason: "Unschedulable" } })).toBe(0);
  });

  it("are not changes of the spec, which may suspend the Job", () => {
    const spec = holdsOf("completes").flatMap(({ fact }) => (fact.kind === "JobSpecified" ? [fact] : []))[0];
    if (spec === undefined) throw new Error("The Job has no spec.");
    expect(holdMillis(spec)).toBe(3_000);
    expect(holdMillis({ ...spec, generation: 2 })).toBe(0);
  });

  it("wait for facts of the Job, whichever of its Pods they are about", () => {
    const keys = new Set(holdsOf("fails").flatMap(({ fact, key }) => ("jobUid" in fact ? [key] : [])));
    expect(keys.size).toBe(1);
  });
});

describe("facts about a run", () => {
  it.each([
    ["a JobSet that failed", parentObserved({ conditions: [isTrue("Failed", 0)] })],
    ["a RayJob that failed", parentObserved({ of: "RayJob", fields: { jobDeploymentStatus: "Failed" } })],
    ["a Workload that was evicted", parentObserved({ of: "Workload", conditions: [isTrue("Evicted", 0)] })],
    ["a Workload that was preempted", parentObserved({ of: "Workload", conditions: [isTrue("Preempted", 0)] })],
    ["a deletion", parentDeleted(0)],
  ])("never wait for others: %s", (_, fact) => {
    expect([holdMillis(fact), holdKey(fact)]).toEqual([0, "js-1"]);
  });

  it.each([
    ["a JobSet that runs", parentObserved({ fields: { restarts: "1" } })],
    ["a Workload that was evicted before", parentObserved({ conditions: [{ type: "Evicted", status: "False" }] })],
  ])("may wait for others: %s", (_, fact) => {
    expect(holdMillis(fact)).toBeGreaterThan(0);
  });
});
