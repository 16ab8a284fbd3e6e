import { describe, expect, it } from "vitest";
import { added, jobObject, toldOf } from "../../support/kubernetes/watch-objects.ts";

const second = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
const condition = (type: string, status = "True", more = {}) => ({
  type,
  status,
  lastTransitionTime: "2026-11-21T08:25:00Z",
  ...more,
});
const statusOf = (status: object) => toldOf("JobReported", added(jobObject({ status: { ...status } })))[0]?.status;

describe("a Job's reported status", () => {
  it("has the fields that Kubernetes wrote, and no others", () => {
    const status = {
      active: 2,
      ready: 1,
      terminating: 0,
      succeeded: 3,
      failed: 1,
      completedIndexes: "0-2",
      failedIndexes: "",
      startTime: "2026-11-21T08:24:44Z",
      completionTime: "2026-11-21T08:25:00Z",
      uncountedTerminatedPods: { succeeded: ["a"], failed: ["b", "c"] },
    };
    expect(statusOf(status)).toEqual({
      ...status,
      startTime: second("08:24:44"),
      completionTime: second("08:25:00"),
      uncountedTerminatedPods: undefined,
      uncounted: { succeeded: ["a"], failed: ["b", "c"] },
      conditions: [],
    });
    expect(statusOf({})).toEqual({ conditions: [] });
  });

  it("lists 100 uncounted Pods of each kind, and how many there were beyond", () => {
    const uids = Array.from({ length: 140 }, (_, number) => `pod-${number}`);
    const uncounted = statusOf({ uncountedTerminatedPods: { succeeded: uids, failed: uids.slice(0, 100) } })?.uncounted;
    expect(uncounted?.succeeded).toEqual(uids.slice(0, 100));
    expect(uncounted).toMatchObject({ succeededBeyond: 40 });
    expect(uncounted).not.toHaveProperty("failedBeyond");
  });

  it("drops an index set of more than 4 KiB, and is marked as truncated", () => {
    const completedIndexes = Array.from({ length: 2000 }, (_, index) => 2 * index).join(",");
    expect(statusOf({ completedIndexes, failedIndexes: "1" })).toEqual({
      conditions: [],
      failedIndexes: "1",
      truncated: true,
    });
  });

  it("keeps 16 conditions, those that decide before all others", () => {
    const conditions = [
      ...Array.from({ length: 20 }, (_, number) => condition(`Custom${number}`)),
      condition("Complete"),
    ];
    const status = statusOf({ conditions });
    expect(status?.conditions.map(({ type }) => type)).toEqual([
      "Complete",
      ...Array.from({ length: 15 }, (_, number) => `Custom${number}`),
    ]);
    expect(status?.truncated).toBe(true);
  });

  it("cuts a message at 256 bytes, never inside a character", () => {
    const message = `${"x".repeat(254)}\u00e9\u{1f680}`;
    const event = added(jobObject({ status: { conditions: [condition("Failed", "True", { message })] } }));
    expect(toldOf("JobReported", event, { messages: true })[0]?.status?.conditions[0]?.message).toBe(
      `${"x".repeat(254)}\u00e9`,
    );
  });
});
