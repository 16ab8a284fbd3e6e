import { describe, expect, it } from "vitest";
import { kindOf } from "../../../src/kubernetes/connection/watched-resource.ts";
import { Inventory } from "../../../src/kubernetes/watch/inventory.ts";
import { ObservationTranslation } from "../../../src/kubernetes/watch/observation-translation.ts";
import { RepeatedEvents } from "../../../src/kubernetes/watch/repeated-events.ts";

/** An Event that occurred this many times at once. */
const of = (count: number) => ({ count, lastAt: 0 });

describe("an Event whose count rises", () => {
  it("passes when the count has doubled", () => {
    const events = new RepeatedEvents();
    const passed = Array.from({ length: 1_000 }, (_, index) => index + 1).filter((count) =>
      events.passes("a", of(count)),
    );
    expect(passed).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  });

  it("passes a minute after it last passed", () => {
    const events = new RepeatedEvents();
    const passed = [0, 30, 59, 60, 90, 120].map((second, index) =>
      events.passes("a", { count: 100 + index, lastAt: second * 1_000 }),
    );
    expect(passed).toEqual([true, false, false, true, false, true]);
  });

  it("does not pass again when a new list repeats it", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", of(7)), events.passes("a", of(7)), events.passes("a", of(8))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("does not affect other Events", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", of(1)), events.passes("b", of(1))]).toEqual([true, true]);
  });

  it("passes again once it is forgotten", () => {
    const events = new RepeatedEvents(2);
    for (const uid of ["a", "b", "c"]) events.passes(uid, of(1));
    expect([events.passes("c", of(1)), events.passes("a", of(1))]).toEqual([false, true]);
  });

  it("is remembered with as many others as there is room for", () => {
    const events = new RepeatedEvents(2);
    const passed = ["a", "b", "a", "b"].map((uid) => events.passes(uid, of(1)));
    expect(passed).toEqual([true, true, false, false]);
  });

  it("passes again with its next repetition if it was not sent", () => {
    const events = new RepeatedEvents();
    events.passes("a", of(7));
    events.forget("a");
    expect([events.passes("a", of(8)), events.passes("a", of(9))]).toEqual([true, false]);
  });
});

const podEvent = (number: number, count: number) => ({
  type: "MODIFIED" as const,
  object: {
    metadata: {
      namespace: "batch",
      name: `event-${number}`,
      uid: `event-${number}`,
      resourceVersion: `${100 + count}`,
    },
    involvedObject: { kind: "Pod", namespace: "batch", name: `pod-${number}`, uid: `pod-${number}` },
    type: "Warning",
    reason: "FailedScheduling",
    count,
    firstTimestamp: "2026-11-21T12:00:00Z",
    lastTimestamp: "2026-11-21T12:00:00Z",
  },
});
describe("an Event that was dropped while it waited for its Pod", () => {
  const ownedPod = {
    type: "ADDED" as const,
    object: {
      metadata: {
        namespace: "batch",
        name: "pod-0",
        uid: "pod-0",
        resourceVersion: "500",
        creationTimestamp: "2026-11-21T12:00:00Z",
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "report", uid: "job-1", controller: true }],
      },
      spec: { containers: [] },
      status: { phase: "Pending" },
    },
  };

  it("is sent with its next repetition", () => {
    const translation = new ObservationTranslation({ inventory: new Inventory(), report: () => undefined });
    for (let number = 0; number <= 10_000; number += 1) {
      translation.factsOf(kindOf("events"), podEvent(number, 5), 0);
    }
    const pod = translation.factsOf(kindOf("pods"), ownedPod, 0) ?? [];
    expect(pod.map(({ kind }) => kind)).toContain("PodCreated");
    expect(pod.map(({ kind }) => kind)).not.toContain("EventHinted");
    expect(translation.factsOf(kindOf("events"), podEvent(0, 6), 0)).toMatchObject([{ kind: "EventHinted", count: 6 }]);
  });
});
