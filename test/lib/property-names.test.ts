import { describe, expect, it } from "vitest";
import { rejectUnknownProperties, VALUE_NAMES } from "../../lib/property-names.ts";
import type { OutliveProps } from "../../lib/outlive-props.ts";

describe("the properties of the construct", () => {
  it("are accepted", () => {
    expect(() => rejectUnknownProperties({ readers: { kind: "iam" }, peakJobsPerSecond: 5 })).not.toThrow();
    expect(VALUE_NAMES).toContain("peakJobsPerSecond");
  });

  it.each(["retentionDays", "Archive", "peakJobPerSecond", "constructor"])(
    "are no others: %s is refused, which JavaScript would ignore",
    (name) => {
      const props = JSON.parse(`{"${name}":1}`) as OutliveProps;
      expect(() => rejectUnknownProperties(props)).toThrow(`Unknown property ${name}. Properties: `);
    },
  );
});
