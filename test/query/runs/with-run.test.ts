import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { withRun } from "../../../src/query/runs/with-run.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf, listedJob } from "../../support/story/listed-job.ts";
import { second } from "../../support/story/run-story.ts";

const cluster = clusterOf("east");
const apiVersion = "trainer.kubeflow.org/v1alpha1";
const JOB_SET = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "train", uid: "train-uid" };

/** JobSet "train" of namespace "ml", which TrainJob "llm" controls. */
const CONTROLLED = parentObserved({
  uid: "train-uid",
  runUid: "train-uid",
  at: second(1),
  owner: { apiVersion, kind: "TrainJob", name: "llm", uid: "llm-uid" },
});

const part = (namespace = "ml") => listedJob({ uid: "train-worker-0", namespace, owner: JOB_SET });

async function answered(facts: readonly Fact[], job = part(), isQueued = false) {
  const requests: string[] = [];
  const { runs } = await runPortsWith(facts);
  const answer = await withRun(countedStore(runs, requests), job, { scope: "everything", cluster, isQueued });
  return { answer, requests };
}

describe("an answer about a Job", () => {
  it("has the owners above its controller, in one read", async () => {
    const { answer, requests } = await answered([CONTROLLED]);
    expect(answer.owners.map(({ kind, name }) => `${kind}/${name}`)).toEqual(["JobSet/train", "TrainJob/llm"]);
    expect(answer.run).toMatchObject({ kind: "TrainJob", name: "llm", uid: "llm-uid" });
    expect(requests).toEqual(["read"]);
  });

  it("in another namespace has nothing of the owner that it claims", async () => {
    const job = part("theirs");
    expect((await answered([CONTROLLED], job)).answer).toEqual(job);
  });

  it("stays the same where its owner was not observed", async () => {
    expect((await answered([])).answer).toEqual(part());
  });

  it("without an owner or a queue reads nothing", async () => {
    const job = listedJob();
    expect(await answered([CONTROLLED], job)).toEqual({ answer: job, requests: [] });
  });

  it.each([
    ["batch", { name: "main" }],
    ["theirs", undefined],
  ])("that Kueue admits has the queue of its Workload in namespace %s", async (namespace, queue) => {
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "report", uid: "uid-1" };
    const workload = parentObserved({
      of: "Workload",
      namespace,
      name: "job-report",
      uid: "w-1",
      runUid: "uid-1",
      owner,
      fields: { queueName: "main" },
      at: second(5),
      createdAt: second(0),
      conditions: [{ type: "QuotaReserved", status: "False", reason: "Pending", lastTransitionAt: second(1) }],
    });
    const { answer } = await answered([workload], listedJob(), true);
    if (queue === undefined) expect(answer.queue).toBeUndefined();
    else expect(answer.queue).toMatchObject(queue);
  });
});
