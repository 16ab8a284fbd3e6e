import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { presentLineage } from "../../../src/explain/present-lineage.ts";
import { withLineage, withoutLineage } from "../../../src/projection/job-state/stored-lineage.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "train", uid: "js-1" };
const labels = { "jobset.sigs.k8s.io/jobset-name": "train", "jobset.sigs.k8s.io/restart-attempt": "1" };
const marked = presentLineage({
  namespace: "batch",
  name: "report",
  uid: "uid-1",
  createdAt: 0,
  labels: {},
  marks: { "helm.sh/hook": "pre-install" },
});

const JOBS: readonly (readonly [string, JobAnswer, readonly string[]])[] = [
  ["a Job on its own", listedJob(), []],
  [
    "a Job of a JobSet",
    listedJob({
      owner: jobSet,
      labels,
      ...presentLineage({ namespace: "batch", name: "report", uid: "uid-1", createdAt: 0, owner: jobSet, labels }),
    }),
    [],
  ],
  ["a Job with annotations of another system", listedJob(marked), ["externalIds", "series"]],
];

describe("what a Job belongs to, as it is stored", () => {
  it.each(JOBS)("is only what does not follow from the rest of the summary: %s", (_, answer, stored) => {
    const short = withoutLineage(answer);
    expect(["owners", "run", "series", "externalIds"].filter((field) => field in short).sort()).toEqual(stored);
    expect(withLineage(short)).toEqual(answer);
  });

  it("follows from a summary of an earlier release", () => {
    const { owners: _, run: __, externalIds: ___, ...old } = listedJob({ owner: jobSet, labels });
    expect(withLineage(old)).toMatchObject({ run: { kind: "JobSet", name: "train", uid: "js-1", attempt: 1 } });
  });
});
