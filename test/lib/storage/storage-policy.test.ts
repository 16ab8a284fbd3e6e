import { RemovalPolicy } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { readStorage, removalPolicyOf } from "../../../lib/storage/storage-policy.ts";

const read = (context: Readonly<Record<string, string>>, retentionDays: number) =>
  readStorage((name) => context[name], retentionDays);

describe("the storage settings of a stage", () => {
  it.each([
    [400, "infrequent"],
    [180, "infrequent"],
    [179, "standard"],
    [1, "standard"],
  ] as const)("choose the table class by the retention: %i days, %s", (retentionDays, tableClass) => {
    expect(read({}, retentionDays)).toEqual({ tableClass, backupJobs: false });
  });

  it("can be chosen", () => {
    expect(read({ tableClass: "standard", backupJobs: "true" }, 400)).toEqual({
      tableClass: "standard",
      backupJobs: true,
    });
    expect(read({ tableClass: "infrequent" }, 7).tableClass).toBe("infrequent");
  });

  it("reject another class", () => {
    expect(() => read({ tableClass: "glacier" }, 400)).toThrow(/Invalid tableClass "glacier".*standard or infrequent/);
  });
});

describe("the data of a deleted stage", () => {
  it("is retained unless the stage is disposable", () => {
    expect([{}, { disposable: false }, { disposable: true }].map(removalPolicyOf)).toEqual([
      RemovalPolicy.RETAIN,
      RemovalPolicy.RETAIN,
      RemovalPolicy.DESTROY,
    ]);
  });
});
