import { describe, expect, it } from "vitest";
import type { Side } from "../../../src/explain/compare/compared-field.ts";
import { runSide } from "../../../src/explain/compare/run-side.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";

const RUN: RunAnswer = {
  cluster: "east",
  namespace: "ml",
  kind: "JobSet",
  name: "train",
  uid: "train-uid",
  labels: { app: "billing", "jobset/uid": "train-uid" },
  externalIds: {},
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: "2026-01-01T00:00:10Z",
  finishedAt: "2026-01-01T00:02:00Z",
  verdict: { state: "Failed", reason: "FailedJobs", final: true, basis: "reported" },
  attempts: [
    {
      number: 0,
      state: "Failed",
      jobs: [],
      firstFailure: { job: "w", jobUid: "w-uid", exitCode: 3, category: "application", at: "2026-01-01T00:01:00Z" },
    },
  ],
  jobs: { total: 3, complete: 1, failed: 2, running: 0, waiting: 0, deleted: 0, unknown: 0 },
  findings: [],
  completeness: { level: "complete", gaps: [] },
  asOf: { time: "2026-01-01T00:02:00Z" },
};

function valueIn({ fields, unknown }: Side, kind: string): unknown {
  const field = fields.find((one) => one.kind === kind);
  if (field?.value.is === "known") return field.value.text ?? field.value.value;
  return [...unknown].find(([of]) => of === kind)?.[1];
}

describe("a run as a side of a comparison", () => {
  it.each([
    ["state", "Failed"],
    ["reason", "FailedJobs"],
    ["attempts", 1],
    ["jobs", "3 (1 complete and 2 failed)"],
    ["exitCode", ["3"]],
    ["category", ["application"]],
    ["label", "billing"],
    ["waiting", 10],
    ["whole", 120],
    ["request", "ofItsJobs"],
    ["node", "ofItsJobs"],
    ["image", "ofItsJobs"],
  ])("has %s", (kind, value) => {
    expect(valueIn(runSide(RUN), kind)).toEqual(value);
  });

  it("has no labels that name it", () => {
    expect(runSide(RUN).fields.filter(({ kind }) => kind === "label")).toHaveLength(1);
  });

  it("in progress does not know how long it takes", () => {
    const { finishedAt: _, ...rest } = RUN;
    const side = runSide({ ...rest, verdict: { state: "Running", final: false, basis: "observed" } });
    expect(valueIn(side, "whole")).toBe("inProgress");
  });

  it("that lacks Jobs does not know their number", () => {
    expect(valueIn(runSide({ ...RUN, jobs: { ...RUN.jobs, atLeast: true } }), "jobs")).toBe("truncated");
  });
});
