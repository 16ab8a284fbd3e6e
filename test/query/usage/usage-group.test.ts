import { describe, expect, it } from "vitest";
import { parseUsageGrouping, usageGroupOf } from "../../../src/query/usage/usage-group.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("a grouping of usage", () => {
  it.each(["cluster", "node", "label=team", "label=example.com/team"])("can be %s", (text) => {
    expect(parseUsageGrouping(text)).toBe(text);
  });

  it.each(["", "label", "label=", "user"])("cannot be %j", (text) => {
    expect(parseUsageGrouping(text)).toBeUndefined();
  });

  it("names the group of a Job, empty if it has none", () => {
    const job = listedJob({ labels: { team: "blue" } });
    const at = Date.parse("2026-01-01T05:00:00Z");
    const keys = (["cluster", "namespace", "owner", "series", "run", "day", "hour"] as const).map((by) =>
      usageGroupOf(by, job, at),
    );
    expect(keys).toEqual(["east", "batch", "", "", "batch/Job/report", "2026-01-01T00:00:00Z", "2026-01-01T05:00:00Z"]);
    expect(usageGroupOf("label=team", job, at)).toBe("blue");
    expect(usageGroupOf("label=tier", job, at)).toBe("");
  });

  it.each(["constructor", "toString", "__proto__"])("is empty for the label %s that no Job has", (key) => {
    expect(usageGroupOf(`label=${key}`, listedJob({ labels: {} }), 0)).toBe("");
  });

  it("can be a label with the name of a property of all objects", () => {
    expect(usageGroupOf("label=constructor", listedJob({ labels: { constructor: "acme" } }), 0)).toBe("acme");
  });
});
