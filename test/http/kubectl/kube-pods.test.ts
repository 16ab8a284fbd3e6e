import { describe, expect, it } from "vitest";
import { POD_FORMAT, podLabels } from "../../../src/http/kubectl/kube-pods.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

type Said = Parameters<typeof attemptOf>[1];
const job = listedJob();
const shownPod = (said?: Said) => POD_FORMAT.show({ job, attempt: attemptOf(1, said) });
const cellOf = (name: string, said?: Said) =>
  POD_FORMAT.columns.find((column) => column.name === name)?.cell({ job, attempt: attemptOf(1, said) }, 0);
const NOT_STARTED = { startedAt: undefined } as unknown as Said;

describe("a Pod as kubectl sees it", () => {
  it.each<[string, string, string, Said]>([
    ["succeeded", "Succeeded", "Completed", {}],
    ["failed", "Failed", "Error", { outcome: "Failed" }],
    ["was evicted", "Failed", "Evicted", { outcome: "Failed", reason: "Evicted" }],
    ["vanished", "Unknown", "Unknown", { outcome: "Unknown" }],
    ["runs", "Running", "Running", { outcome: "Active" }],
    ["waits", "Pending", "Pending", { outcome: "Active", ...NOT_STARTED }],
    ["waits for its image", "Pending", "ErrImagePull", { outcome: "Active", reason: "ErrImagePull", ...NOT_STARTED }],
    ["terminates", "Running", "Terminating", { outcome: "Terminating" }],
    ["terminates before its start", "Pending", "Terminating", { outcome: "Terminating", ...NOT_STARTED }],
  ])("that %s has phase %s and status %s", (_, phase, status, said) => {
    expect(shownPod(said).status?.["phase"]).toBe(phase);
    expect(cellOf("Status", said)).toBe(status);
  });

  it("has the labels of the Job controller, and an index only if the Job is indexed", () => {
    const labels = { "job-name": "report", "batch.kubernetes.io/controller-uid": "uid-1" };
    expect(podLabels(job, {})).toMatchObject(labels);
    expect(podLabels(job, {})).not.toHaveProperty(["batch.kubernetes.io/job-completion-index"]);
    expect(podLabels(job, { index: 0 })).toMatchObject({ ...labels, "batch.kubernetes.io/job-completion-index": "0" });
  });

  it("shows the last run of each container", () => {
    const run = { name: "work", restartCount: 0, startedAt: second(2) };
    const containers = [
      { ...run, restartCount: 1 },
      { ...run, exitCode: 1, reason: "Error" },
      { name: "sidecar", restartCount: 0, exitCode: 0, reason: "Completed" },
      { name: "late", restartCount: 0, reason: "ErrImagePull" },
    ];
    const { spec, status } = shownPod({ containers });
    expect(spec?.["containers"]).toEqual([{ name: "work" }, { name: "sidecar" }, { name: "late" }]);
    expect(status?.["containerStatuses"]).toMatchObject([
      { name: "work", restartCount: 1, state: { running: { startedAt: second(2) } } },
      { name: "sidecar", state: { terminated: { exitCode: 0, reason: "Completed" } } },
      { name: "late", state: { waiting: { reason: "ErrImagePull" } } },
    ]);
    expect(cellOf("Ready", { containers })).toBe("0/3");
  });

  it("starts when it is scheduled; if that is unknown, when its containers start", () => {
    expect(shownPod({ scheduledAt: second(1) }).status).toMatchObject({ startTime: second(1) });
    expect(shownPod().status).toMatchObject({ startTime: second(2) });
    expect(shownPod(NOT_STARTED).status).not.toHaveProperty("startTime");
  });
});
