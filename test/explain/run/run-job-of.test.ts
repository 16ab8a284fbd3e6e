import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import { runJobOf } from "../../../src/explain/run/run-job-of.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const pod = (said: Partial<Attempt>): Attempt => ({
  uid: "p",
  name: "report-a",
  outcome: "Failed",
  category: "application",
  exitCode: 3,
  restarts: 0,
  containers: [],
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: "2026-01-01T00:00:02Z",
  finishedAt: "2026-01-01T00:00:09Z",
  ...said,
});

const { startedAt: _, finishedAt: __, ...waitingPod } = pod({});

describe("what a run needs of a Job", () => {
  it("is its first Pod that failed by itself", () => {
    const attempts = [
      pod({ name: "later", finishedAt: "2026-01-01T00:00:20Z" }),
      pod({ name: "stopped", category: "deleted", exitCode: 143, finishedAt: "2026-01-01T00:00:05Z" }),
      pod({ name: "first" }),
      pod({ name: "good", outcome: "Succeeded", finishedAt: "2026-01-01T00:00:01Z" }),
    ];
    expect(runJobOf(listedJob({ attempts }))).toMatchObject({
      startedAt: Date.parse("2026-01-01T00:00:02Z"),
      firstFailure: { pod: "first", exitCode: 3, category: "application", at: Date.parse("2026-01-01T00:00:09Z") },
    });
  });

  it("is when its failure was reported, also while its Pods still end", () => {
    const condition = { type: "FailureTarget", status: "True", lastTransitionTime: "2026-01-01T00:00:09Z" };
    const { failedAt } = runJobOf(listedJob({ status: { conditions: [condition] } }));
    expect(failedAt).toBe(Date.parse("2026-01-01T00:00:09Z"));
    expect(runJobOf(listedJob())).not.toHaveProperty("failedAt");
  });

  it.each([
    ["RayJob", "submitter", true],
    ["MPIJob", "launcher", true],
    ["JobSet", "launcher", false],
    ["MPIJob", "worker", false],
  ])("of a %s, which is its %s, is when it ended if it starts the work: %s", (kind, role, isLauncher) => {
    const owners = [{ kind, name: "train", namespace: "ml", by: "ownerReference" as const, role }];
    const job = runJobOf(listedJob({ owners, finishedAt: "2026-01-01T00:00:20Z" }));
    expect(job.isLauncher ?? false).toBe(isLauncher);
    expect(job.finishedAt).toBe(isLauncher ? Date.parse("2026-01-01T00:00:20Z") : undefined);
  });

  it.each([
    ["Pods that are ready", { ready: 1 }, [], true],
    ["Pods that ended", { failed: 1 }, [], true],
    ["active Pods, of which none was observed", { active: 2 }, [], true],
    ["active Pods that have not started", { active: 1, ready: 0 }, [{}], undefined],
    ["no Pods", {}, [], undefined],
  ])("is whether it counts %s", (_, status, pods, hasStarted) => {
    const reported = { status, resourceVersion: "7", observedAt: "2026-01-01T00:00:09Z" };
    const attempts = pods.map(() => ({ ...waitingPod, outcome: "Active" as const }));
    expect(runJobOf(listedJob({ reported, attempts })).hasStarted).toBe(hasStarted);
  });

  it("does not repeat that it has started if the time is known", () => {
    const reported = { status: { ready: 1 }, resourceVersion: "7", observedAt: "2026-01-01T00:00:09Z" };
    expect(runJobOf(listedJob({ reported, attempts: [pod({})] }))).not.toHaveProperty("hasStarted");
  });

  it("of Airflow is which try of which task it is", () => {
    const ids = { "airflow/task_id": "load", "airflow/try_number": "2" };
    const [first, mapped] = [ids, { ...ids, "airflow/map_index": "7" }].map((externalIds) =>
      runJobOf(listedJob({ externalIds })),
    );
    expect([first?.workTry?.number, mapped?.workTry?.number]).toEqual([2, 2]);
    expect(first?.workTry?.work).not.toBe(mapped?.workTry?.work);
    expect(runJobOf(listedJob())).not.toHaveProperty("workTry");
  });
});
