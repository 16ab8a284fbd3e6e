import { describe, expect, it } from "vitest";
import { headline } from "../../src/explain/headline.ts";
import { deriveRecord } from "../../src/job/derived/derived-job.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { SILENT_AFTER_MILLIS } from "../../src/job/status/silence.ts";
import { Story } from "../support/story/story.ts";

function runningSince(): Story {
  const story = new Story("work");
  story.jobCreated();
  story.jobReported({ active: 1 });
  story.podCreated("work-1");
  story.podStarted("work-1");
  return story;
}

describe("the headline of a Job whose cluster fell silent", () => {
  const { record, clusterContext, now } = runningSince();
  const headlineAfter = (millis: number): string =>
    headline(deriveRecord(record, { clusterContext, now, queriedAt: now + millis }));

  it("begins with the instant of the last known state", () => {
    expect(headlineAfter(SILENT_AFTER_MILLIS)).toBe(
      `Last known state, as of ${formatInstant(now)}: Running: 0 of 1 succeeded, 1 active; no findings.`,
    );
  });

  it("is that of any other Job before the cluster counts as silent", () => {
    expect(headlineAfter(SILENT_AFTER_MILLIS - 1)).toBe("Running: 0 of 1 succeeded, 1 active; no findings.");
  });
});
