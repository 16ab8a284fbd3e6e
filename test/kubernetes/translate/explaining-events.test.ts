import { describe, expect, it } from "vitest";
import {
  DEFAULT_EVENT_REASONS,
  explainsSomething,
  readEventReasons,
} from "../../../src/kubernetes/translate/explaining-events.ts";

const about = (kind: string, type: string | undefined, reason: string) => ({
  involvedObject: { kind, name: "report", namespace: "team" },
  reason,
  ...(type !== undefined && { type }),
});

describe("the default list of Events", () => {
  it.each([
    ["Pod", "Scheduled"],
    ["Pod", "Pulling"],
    ["Pod", "Pulled"],
    ["Pod", "Created"],
    ["Pod", "Started"],
    ["Job", "SuccessfulCreate"],
    ["Job", "Completed"],
    ["CronJob", "SuccessfulCreate"],
    ["CronJob", "SawCompletedJob"],
    ["CronJob", "SuccessfulDelete"],
    ["Node", "Starting"],
  ])("drops what the objects show themselves: %s %s", (kind, reason) => {
    expect(explainsSomething(about(kind, "Normal", reason), DEFAULT_EVENT_REASONS)).toBe(false);
  });

  it.each([
    ["Pod", "Killing"],
    ["Pod", "Preempted"],
    ["Pod", "TaintManagerEviction"],
    ["Pod", "DeadlineExceeded"],
    ["Node", "NodeNotReady"],
    ["Job", "SuccessfulDelete"],
    ["Job", "Suspended"],
    ["Job", "Resumed"],
    ["Job", "CreatedWorkload"],
  ])("keeps a normal Event that changes an answer: %s %s", (kind, reason) => {
    expect(explainsSomething(about(kind, "Normal", reason), DEFAULT_EVENT_REASONS)).toBe(true);
  });

  it("keeps every warning, and an Event without a type", () => {
    expect(explainsSomething(about("Pod", "Warning", "FailedMount"), DEFAULT_EVENT_REASONS)).toBe(true);
    expect(explainsSomething(about("Pod", undefined, "Pulled"), DEFAULT_EVENT_REASONS)).toBe(true);
  });
});

describe("a list of Event reasons", () => {
  it("replaces the normal ones, and is read with the kind of the object or without", () => {
    const reasons = readEventReasons("Pulled, CronJob/SawCompletedJob") ?? new Set();
    expect(explainsSomething(about("Pod", "Normal", "Pulled"), reasons)).toBe(true);
    expect(explainsSomething(about("CronJob", "Normal", "SawCompletedJob"), reasons)).toBe(true);
    expect(explainsSomething(about("Job", "Normal", "SawCompletedJob"), reasons)).toBe(false);
    expect(explainsSomething(about("Pod", "Normal", "Killing"), reasons)).toBe(false);
  });

  it("applies to the objects of events.k8s.io too", () => {
    const event = { regarding: { kind: "Job" }, reason: "SuccessfulDelete", type: "Normal" };
    expect(explainsSomething(event, DEFAULT_EVENT_REASONS)).toBe(true);
  });

  it("keeps everything with *, and only warnings if it is empty", () => {
    const pulled = about("Pod", "Normal", "Pulled");
    expect(explainsSomething(pulled, readEventReasons("*") ?? new Set())).toBe(true);
    expect(explainsSomething(about("Pod", "Normal", "Killing"), readEventReasons("") ?? new Set())).toBe(false);
  });

  it.each(["Killing!", "a/b/c", "Pod/"])("is invalid with %s", (text) => {
    expect(readEventReasons(text)).toBeUndefined();
  });
});
