import { describe, expect, it } from "vitest";
import type { JobCreated } from "../../../src/job/model/fact.ts";
import { seriesKeyOf } from "../../../src/parents/series/series-key.ts";
import { Story } from "../../support/story/story.ts";

function keyOf(more: Partial<JobCreated>, name = "report"): string | undefined {
  const story = new Story(name);
  story.jobCreated({}, more);
  return story.record.job.created && seriesKeyOf(story.record.job.created);
}
const cronJob = (name: string, uid: string) => ({ owner: { kind: "CronJob", name, uid } });
const task = (task_id: string, run_id: string, map_index = "0") => ({
  labels: { dag_id: "etl", task_id, run_id, map_index, try_number: "1" },
});

describe("the series of a Job", () => {
  it("is that of its CronJob, also after the CronJob was created again", () => {
    const key = keyOf(cronJob("nightly", "c-1"), "nightly-1");
    expect(key).toBe('["default","CronJob","nightly"]');
    expect(keyOf(cronJob("nightly", "c-2"), "nightly-2")).toBe(key);
    expect(keyOf(cronJob("hourly", "c-1"), "nightly-2")).not.toBe(key);
  });

  it("is of its namespace", () => {
    expect(keyOf({ ...cronJob("nightly", "c-1"), namespace: "other" })).not.toBe(keyOf(cronJob("nightly", "c-1")));
  });

  it("is that of one task of a DAG, in every run and for every index of the task", () => {
    expect(keyOf(task("load", "monday"))).toBe('["default","DAG","etl","load"]');
    expect(keyOf(task("load", "tuesday", "3"))).toBe(keyOf(task("load", "monday")));
    expect(keyOf(task("extract", "monday"))).not.toBe(keyOf(task("load", "monday")));
  });

  it("is unset for a Job on its own", () => {
    expect(keyOf({})).toBeUndefined();
  });
});
