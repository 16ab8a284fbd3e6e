import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, jobObject, toldOf } from "../../support/kubernetes/watch-objects.ts";

const specOf = (spec: object) => toldOf("JobSpecified", added(jobObject({ spec: { ...spec } })))[0];

describe("a Job's spec", () => {
  it.each([
    ["neither parallelism nor completions", {}, { parallelism: 1, completions: 1 }],
    ["completions alone", { completions: 5 }, { parallelism: 1, completions: 5 }],
    ["parallelism alone: a work queue", { parallelism: 3 }, { parallelism: 3 }],
    ["null for both", { parallelism: null, completions: null }, { parallelism: 1, completions: 1 }],
    ["zeros", { parallelism: 0, completions: 0 }, { parallelism: 0, completions: 0 }],
  ])("has the API server's defaults with %s", (_, spec, wanted) => {
    const told = toldOf("JobSpecified", added({ ...jobObject(), spec }))[0]?.spec;
    expect(told).toEqual({
      completionMode: "NonIndexed",
      backoffLimit: 6,
      suspend: false,
      restartPolicy: "Never",
      ...wanted,
    });
  });

  it("has no back-off limit to speak of where each index has one", () => {
    const spec = { backoffLimit: undefined, backoffLimitPerIndex: 2, maxFailedIndexes: 3, completionMode: "Indexed" };
    expect(specOf(spec)?.spec).toMatchObject({
      backoffLimit: 2147483647,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: 3,
    });
  });

  it("keeps the deadline of the Job and that of its Pods apart", () => {
    const spec = {
      activeDeadlineSeconds: 16,
      template: { spec: { restartPolicy: "OnFailure", activeDeadlineSeconds: 3 } },
    };
    expect(specOf(spec)?.spec).toMatchObject({
      activeDeadlineSeconds: 16,
      podActiveDeadlineSeconds: 3,
      restartPolicy: "OnFailure",
    });
  });

  it("keeps its policies; a pattern without status means True", () => {
    const podFailurePolicy = {
      rules: [
        { action: "FailJob", onExitCodes: { containerName: "work", operator: "In", values: [42, 43] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }, { type: "Bad", status: "False" }] },
      ],
    };
    const successPolicy = { rules: [{ succeededIndexes: "0-2", succeededCount: 1 }, { succeededCount: 5 }] };
    expect(specOf({ podFailurePolicy, successPolicy, managedBy: "kueue.x-k8s.io/multikueue" })?.spec).toMatchObject({
      podFailurePolicy: {
        rules: [
          podFailurePolicy.rules[0],
          {
            action: "Ignore",
            onPodConditions: [
              { type: "DisruptionTarget", status: "True" },
              { type: "Bad", status: "False" },
            ],
          },
        ],
      },
      successPolicy,
      managedBy: "kueue.x-k8s.io/multikueue",
    });
  });

  it("matches nothing by succeeded indexes that are too long to keep", () => {
    const succeededIndexes = Array.from({ length: 2000 }, (_, index) => 2 * index).join(",");
    expect(
      specOf({ successPolicy: { rules: [{ succeededIndexes, succeededCount: 1 }] } })?.spec?.successPolicy,
    ).toEqual({
      rules: [{ succeededIndexes: "", succeededCount: 1 }],
    });
  });

  it.each(["3", -1, 1.5, {}, true])(
    "is rejected where completions is %j: a default would make another Job of it",
    (completions) => {
      expect(translate(added(jobObject({ spec: { completions } })))).toEqual({
        outcome: "rejected",
        problems: [{ path: "object.spec.completions", message: "Must be a whole number of at least 0." }],
      });
    },
  );
});
