import { describe, expect, it } from "vitest";
import { inRun, runMemberOf, runUidOfAnswer } from "../../../src/explain/run/job-in-run.ts";
import { emptyRun, joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { listedJob } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const JOB_SET = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "train", uid: "js-1" };
const owner = { kind: "TrainJob", name: "bert", uid: "tj-1" };
const run = joinRunFacts(emptyRun("js-1"), [parentObserved({ uid: "js-1", owner })]);
const job = listedJob({ namespace: "ml", owner: JOB_SET });

describe("an answer about a Job of a run", () => {
  it("has the owners above its JobSet, with the role that a label names", () => {
    const byName = { kind: "TrainJob", namespace: "ml", name: "train", by: "name" as const, role: "trainer" };
    const { owners, run: outermost } = inRun({ ...job, owners: [...job.owners, byName] }, run);
    expect(owners.map(({ kind, name, role }) => [kind, name, role])).toEqual([
      ["JobSet", "train", undefined],
      ["TrainJob", "bert", "trainer"],
    ]);
    expect(outermost).toMatchObject({ kind: "TrainJob", name: "bert", uid: "tj-1" });
  });

  it("in another namespace has nothing of the owner that it claims", () => {
    const claimed = listedJob({ namespace: "theirs", owner: JOB_SET });
    expect(inRun(claimed, run)).toBe(claimed);
  });

  it("is found under its owner, otherwise under its own uid", () => {
    expect([runUidOfAnswer(job), runUidOfAnswer(listedJob({ uid: "uid-7" }))]).toEqual(["js-1", "uid-7"]);
  });
});

describe("what a run shows of a Job", () => {
  it("has the labels that people set, and the name of a run without an object", () => {
    const labels = { "dagster/run-id": "r-1", team: "ml", "batch.kubernetes.io/job-name": "a" };
    const story = new Story();
    story.jobCreated({}, { labels });
    const created = story.facts.find((fact) => fact.kind === "JobCreated");
    expect(runMemberOf(created, listedJob({ labels }))).toMatchObject({
      labels: { "dagster/run-id": "r-1", team: "ml" },
      named: { kind: "DagsterRun", name: "r-1" },
      level: "complete",
    });
  });

  it("has its annotations for Outlive among the labels, which have precedence", () => {
    const annotations = { "outlive.dev/notify": "team-a", "outlive.dev/tier": "1" };
    const answer = listedJob({ labels: { "outlive.dev/tier": "2" }, annotations });
    expect(runMemberOf(undefined, answer).labels).toEqual({ "outlive.dev/notify": "team-a", "outlive.dev/tier": "2" });
  });

  it("is the cause as the run keeps it, and the first failure of all attempts", () => {
    const shown = listedJob({ completeness: { level: "gaps", gaps: [] } });
    expect(runMemberOf(undefined, job, shown)).toMatchObject({ level: "gaps", job: { name: job.name } });
  });
});
