import { describe, expect, it } from "vitest";
import { LIVE, synthesise } from "./synthesised.ts";

const { resources, template } = synthesise(LIVE);

describe("the projection", () => {
  it("retains the versions of its projectors, so that the next deployment can keep them, and of no other", () => {
    const retained = [...resources.values()]
      .filter(({ type, deletionPolicy }) => type === "AWS::Lambda::Version" && deletionPolicy === "Retain")
      .map(({ path }) => path);
    expect(retained).toEqual([
      "Projection/Project/Function/CurrentVersion",
      "Projection/Refold/Function/CurrentVersion",
    ]);
  });

  it("reads the log's stream from its begin, in lanes, and bisects a batch that throws", () => {
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10_000,
      MaximumRecordAgeInSeconds: 20 * 3_600,
    });
  });
});
