import { describe, expect, it } from "vitest";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { formatCondition, formatStatus } from "../../../src/job/status/status-text.ts";

const at = Date.UTC(2026, 0, 1);

describe("a formatted status", () => {
  it("has no field that was not reported", () => {
    expect(formatStatus({ conditions: [] })).toEqual({});
  });

  it("has the fields of batch/v1 with RFC 3339 times", () => {
    const conditions = [{ type: "Complete", status: "True", lastTransitionAt: at }];
    const status = formatStatus({ active: 0, succeeded: 2, startTime: at, completionTime: at + 1500, conditions });
    expect(status).toEqual({
      active: 0,
      succeeded: 2,
      startTime: "2026-01-01T00:00:00Z",
      completionTime: "2026-01-01T00:00:01.500Z",
      conditions: [{ type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    });
  });

  it("has the lists of uncounted Pods, but not empty ones", () => {
    const uid = decodePodUid("render-a");
    if (uid === undefined) throw new Error("The uid is valid.");
    const listed = formatStatus({ conditions: [], uncounted: { succeeded: [uid], failed: [] } });
    const empty = formatStatus({ conditions: [], uncounted: { succeeded: [], failed: [] } });
    expect(listed.uncountedTerminatedPods).toEqual({ succeeded: ["render-a"] });
    expect(empty.uncountedTerminatedPods).toEqual({});
  });

  it("does not say that it was truncated: that is no field of batch/v1", () => {
    expect(formatStatus({ conditions: [], truncated: true })).toEqual({});
  });
});

describe("a formatted condition", () => {
  it("has reason and message if they were reported, also empty ones", () => {
    expect(formatCondition({ type: "Failed", status: "True", reason: "", message: "m" })).toEqual({
      type: "Failed",
      status: "True",
      reason: "",
      message: "m",
    });
    expect(formatCondition({ type: "Failed", status: "True" })).toEqual({ type: "Failed", status: "True" });
  });
});
