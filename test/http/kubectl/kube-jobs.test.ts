import { describe, expect, it } from "vitest";
import { JOB_FORMAT } from "../../../src/http/kubectl/kube-jobs.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const NOW = Date.parse("2026-01-01T02:00:00Z");
type Said = Parameters<typeof listedJob>[0];
const shownJob = (said?: Said) => JOB_FORMAT.show(listedJob(said));
const cellsOf = (said?: Said) =>
  Object.fromEntries(JOB_FORMAT.columns.map(({ name, cell }) => [name, cell(listedJob(said), NOW)]));

const VERDICT = { state: "Complete", final: true, basis: "both" } as const;
const DELETED = {
  deletedAt: "2026-01-01T01:00:00Z",
  deletedBy: { actor: "ttl-controller", confidence: "likely", cause: "TTL expired", evidence: [] },
} as const;

describe("a Job as kubectl sees it", () => {
  it("is complete when that was proven, although Kubernetes reported no completion time", () => {
    expect(shownJob().status).toEqual({ succeeded: 1, completionTime: "2026-01-01T00:00:11Z" });
  });

  it.each([
    ["has reported one", { status: { completionTime: "2026-01-01T00:00:12Z" } }, "2026-01-01T00:00:12Z"],
    ["is not complete", { verdict: { ...VERDICT, state: "Failed" as const } }, undefined],
    ["has no known end", { finishedAt: undefined } as unknown as Said, undefined],
  ])("has the completion time of its status if it %s", (_, said, completionTime) => {
    expect(shownJob(said).status?.["completionTime"]).toBe(completionTime);
  });

  it.each([
    ["differs from the derived one", { succeeded: 0 }, '{"succeeded":0}'],
    ["is the derived one", { succeeded: 1 }, undefined],
    ["differs in the controller's own fields", { succeeded: 1, uncountedTerminatedPods: {} }, undefined],
  ])("has the reported status as an annotation if it %s", (_, status, text) => {
    const { annotations } = shownJob({
      reported: { status, resourceVersion: "1", observedAt: "2026-01-01T00:00:12Z" },
    }).metadata;
    expect(annotations?.["outlive/reported-status"]).toBe(text);
  });

  it("states its verdict, its deletion and its completeness in annotations", () => {
    const verdict = { ...VERDICT, reason: "CompletionsReached", final: false } as const;
    const completeness = { level: "gaps", gaps: [] } as const;
    expect(shownJob({ verdict, completeness, ...DELETED }).metadata.annotations).toEqual({
      "outlive/cluster": "east",
      "outlive/verdict": "Complete (CompletionsReached), not final, both",
      "outlive/completeness": "gaps",
      "outlive/deleted-at": "2026-01-01T01:00:00Z",
      "outlive/deleted-by": "ttl-controller (likely): TTL expired",
    });
  });

  it.each([
    ["CronJob", "batch/v1"],
    ["JobSet", "jobset.x-k8s.io/v1alpha2"],
    ["Workflow", "argoproj.io/v1alpha1"],
    ["Something", "v1"],
  ])("owned by a %s refers to it in %s", (kind, apiVersion) => {
    const owner = { kind, name: "nightly", uid: "u1" };
    expect(shownJob({ owner }).metadata.ownerReferences).toMatchObject([{ ...owner, apiVersion, controller: true }]);
  });

  it("is a row with what kubectl prints, and when the Job was deleted", () => {
    expect(cellsOf()).toMatchObject({
      Name: "report",
      Status: "Complete",
      Completions: "1/1",
      Duration: "10s",
      Age: "120m",
      Deleted: "<none>",
      Findings: "<none>",
      "Deleted-By": "<none>",
    });
    expect(cellsOf(DELETED)).toMatchObject({ Deleted: "60m", "Deleted-By": "ttl-controller" });
  });
});
