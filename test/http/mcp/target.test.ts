import { describe, expect, it } from "vitest";
import { kindOf, parseTarget } from "../../../src/http/mcp/target.ts";

describe("a target", () => {
  it.each([
    ["report", { name: "report" }],
    ["job/report", { kind: "job", name: "report" }],
    ["jobs.batch/report", { kind: "job", name: "report" }],
    ["jobset/train", { kind: "jobset", name: "train" }],
    ["jobsets.jobset.x-k8s.io/train", { kind: "jobset", name: "train" }],
    ["cj/nightly", { kind: "cronjob", name: "nightly" }],
    ["batch/report", { namespace: "batch", name: "report" }],
    ["batch/job/report", { namespace: "batch", kind: "job", name: "report" }],
    ["prod/batch/report", { cluster: "prod", namespace: "batch", name: "report" }],
    ["prod/batch/job/report", { cluster: "prod", namespace: "batch", kind: "job", name: "report" }],
    ["prod/ml/dagrun/a/b", { cluster: "prod", namespace: "ml", kind: "dagrun", name: "a/b" }],
    [" batch/report ", { namespace: "batch", name: "report" }],
    ["job/", { kind: "job", name: "" }],
    ["", { name: "" }],
  ])("%j means %j", (target, wanted) => {
    expect(parseTarget({ target })).toEqual({
      cluster: undefined,
      namespace: undefined,
      kind: undefined,
      uid: undefined,
      ...wanted,
    });
  });

  it("has the place of the arguments, unless it says another one itself", () => {
    const place = { cluster: "prod", namespace: "batch", uid: "u1" };
    expect(parseTarget({ target: "job/report", ...place })).toEqual({ ...place, kind: "job", name: "report" });
    expect(parseTarget({ target: "ml/report", ...place })).toMatchObject({ cluster: "prod", namespace: "ml" });
  });
});

describe("a kind", () => {
  it("is that of a Job, a CronJob or a run, in any of its names", () => {
    expect(["Job", "cronjobs", "JobSet", "rayjobs.ray.io", "pod"].map(kindOf)).toEqual([
      "job",
      "cronjob",
      "jobset",
      "rayjob",
      undefined,
    ]);
  });
});
