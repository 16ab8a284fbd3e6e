import { describe, expect, it } from "vitest";
import { RAY_JOB } from "../../../src/parents/status/ray-job.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";

const END = "2026-01-01T00:00:09Z";

describe("the state of a RayJob", () => {
  it.each([
    ["Complete", "SUCCEEDED", "Complete"],
    ["Complete", "STOPPED", "Failed"],
    ["Failed", "FAILED", "Failed"],
    ["Suspended", undefined, "Suspended"],
  ])("with deployment %s and work %s is %s", (jobDeploymentStatus, jobStatus, state) => {
    const fields = { jobDeploymentStatus, endTime: END, ...(jobStatus !== undefined && { jobStatus }) };
    expect(RAY_JOB.state(parentObserved({ fields }))).toEqual({ state, since: Date.parse(END) });
  });

  it.each(["Initializing", "Running", "Retrying", "Waiting", ""])(
    "goes on with deployment %j",
    (jobDeploymentStatus) => {
      expect(RAY_JOB.state(parentObserved({ fields: { jobDeploymentStatus } }))).toBeUndefined();
    },
  );

  it.each([
    [{ jobStatus: "SUCCEEDED" }, "Complete"],
    [{ jobStatus: "FAILED" }, "Failed"],
    [{ jobStatus: "STOPPED" }, "Failed"],
    [{ jobDeploymentStatus: "Failed" }, "Failed"],
    [{ jobStatus: "RUNNING" }, undefined],
  ])("of one try with %j is %s", (fields: Readonly<Record<string, string>>, state) => {
    expect(RAY_JOB.attemptState(parentObserved({ fields }))).toBe(state);
  });
});
