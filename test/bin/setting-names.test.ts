import { describe, expect, it } from "vitest";
import { rejectUnknownSettings, SETTING_NAMES } from "../../bin/setting-names.ts";

describe("the names of settings", () => {
  it("are accepted, with those of the CDK itself", () => {
    expect(() =>
      rejectUnknownSettings([...SETTING_NAMES, "@aws-cdk/core:target-partitions", "aws:cdk:x"]),
    ).not.toThrow();
    expect(new Set(SETTING_NAMES).size).toBe(SETTING_NAMES.length);
  });

  it.each([
    ["retentiondays", "Write retentionDays"],
    ["colour", "Settings: stage"],
  ])("are required: %s is refused with the right one, or with all", (name, advice) => {
    expect(() => rejectUnknownSettings([name])).toThrow(`Unknown setting ${name}. ${advice}`);
  });
});
