import { describe, expect, it } from "vitest";
import { USAGE_COLUMNS, usageOf } from "../../../src/archive/rows/usage-columns.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

function rowOf(requests: Readonly<Record<string, string>>) {
  const story = new Story();
  story.jobCreated();
  story.podSucceeds("a", 10);
  story.podReserved("a", requests);
  return usageOf(answerOf(story));
}

describe("the usage of a Job in the archive", () => {
  it("has a column for each class of time, processors and memory", () => {
    expect(rowOf({ cpu: "500m", memory: "1024" })).toMatchObject({
      usage_pods: 1,
      usage_bound: "exact",
      usage_pod_seconds_total: 10,
      usage_pod_seconds_start_up: 0,
      usage_pod_seconds_kept: 10,
      usage_cpu_core_seconds_kept: 5,
      usage_memory_byte_seconds_total: 10_240,
      usage_other_resources: [],
    });
  });

  it("has other resources in a list, and nothing of what no Pod requested", () => {
    const row = rowOf({ "nvidia.com/gpu": "2" });
    expect(row["usage_other_resources"]).toEqual([expect.objectContaining({ resource: "nvidia.com/gpu", kept: 20 })]);
    expect(row).not.toHaveProperty("usage_cpu_core_seconds_total");
  });

  it("has no values that have no column, and none if usage is not known", () => {
    const known = new Set(USAGE_COLUMNS.map(({ name }) => name));
    expect(Object.keys(rowOf({ cpu: "1", memory: "1" })).filter((name) => !known.has(name))).toEqual([]);
    expect(usageOf({})).toEqual({});
  });
});
