import { describe, expect, it } from "vitest";
import { answerRecord, presentJob, presentSubject } from "../../src/explain/present-job.ts";
import { derivedOf } from "../support/story/derived-of-story.ts";
import { retried, tracked } from "../support/story/finding-stories.ts";
import { Story } from "../support/story/story.ts";

const answerOf = (story: Story) => presentJob(derivedOf(story), { cluster: "east" });

describe("the answer about a Job", () => {
  it("has who it is, what it was to do, and what became of it", () => {
    expect(answerOf(retried())).toMatchObject({
      cluster: "east",
      namespace: "default",
      name: "render",
      uid: "render",
      createdAt: "2026-01-01T00:00:00Z",
      finishedAt: "2026-01-01T00:00:14Z",
      spec: { completions: 1, backoffLimit: 6, template: { spec: { restartPolicy: "Never" } } },
      status: { succeeded: 1, failed: 1 },
      verdict: { state: "Complete", final: true },
      reported: { status: { succeeded: 1, failed: 1 } },
      tracking: "tracked",
      pods: { seen: 2, succeeded: 1, failed: 1, active: 0, terminating: 0, unknown: 0 },
      cause: { category: "application" },
      completeness: { level: "complete", gaps: [] },
    });
  });

  it("is as of its instant or later if the objects of the cluster have no managedFields", () => {
    const { record, clusterContext, now } = retried();
    const answer = (context: typeof clusterContext) =>
      answerRecord(record, { cluster: "east", clusterContext: context, now });
    expect(answer(clusterContext).asOf).not.toHaveProperty("bound");
    const undated = answer({ ...clusterContext, isUndated: true });
    expect(undated.asOf).toEqual({ ...answer(clusterContext).asOf, bound: "lower" });
    expect({ ...undated, asOf: answer(clusterContext).asOf }).toEqual(answer(clusterContext));
  });

  it("counts each Pod once", () => {
    const story = retried();
    story.podCreated("c");
    const { seen, ...outcomes } = answerOf(story).pods;
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(seen);
    expect(seen).toBe(3);
  });

  it("has the deadline of the Pod template where the API has it", () => {
    const { spec } = answerOf(tracked({ podActiveDeadlineSeconds: 30 }));
    expect(spec.template).toEqual({ spec: { restartPolicy: "Never", activeDeadlineSeconds: 30 } });
    expect(spec).not.toHaveProperty("podActiveDeadlineSeconds");
  });

  it("does not have the hash of its resources", () => {
    expect(answerOf(tracked({ resources: "a-9" })).spec).toEqual(answerOf(tracked()).spec);
  });

  it("has the annotations for Outlive, and nothing else that its annotations say", () => {
    const story = new Story();
    story.jobCreated({}, { marks: { "outlive.dev/notify": "team-a", "helm.sh/hook": "pre-upgrade" } });
    expect(answerOf(story).annotations).toEqual({ "outlive.dev/notify": "team-a" });
  });

  it("has no fields that have no value", () => {
    const answer = answerOf(tracked());
    for (const field of [
      "owner",
      "annotations",
      "finishedAt",
      "deletedAt",
      "deletedBy",
      "attempts",
      "waiting",
      "cause",
    ]) {
      expect(answer).not.toHaveProperty(field);
    }
  });

  it("has attempts only on request", () => {
    const { record, clusterContext, now } = retried();
    const options = { cluster: "east", clusterContext, now };
    expect(answerRecord(record, options)).not.toHaveProperty("attempts");
    expect(answerRecord(record, { ...options, attempts: true }).attempts).toHaveLength(2);
  });

  it("names a Job that was not observed after its Pod", () => {
    const story = new Story("encode");
    story.podCreated("x7k2p");
    story.podStarted("x7k2p");
    expect(answerOf(story)).toMatchObject({ name: "encode", namespace: "default", labels: {} });
  });
});

describe("the subject of an explanation", () => {
  it("has the same identity, verdict and completeness as the answer", () => {
    const derived = derivedOf(retried());
    expect(presentJob(derived, { cluster: "east" })).toMatchObject(presentSubject(derived, "east"));
  });
});
