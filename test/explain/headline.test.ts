import { describe, expect, it } from "vitest";
import { headline } from "../../src/explain/headline.ts";
import { MAX_HEADLINE_WORDS } from "../../src/explain/headline/line-of.ts";
import { deriveRecord } from "../../src/explain/derived-job.ts";
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

describe("the headline of a Job that no node fits", () => {
  const story = new Story("work");
  story.jobCreated({ completions: 3, parallelism: 3 });
  story.jobReported({ active: 3 });
  story.podCreated("work-1");
  const causes = [
    { cause: "insufficient", resource: "nvidia.com/gpu", nodes: 7 },
    { cause: "insufficient", resource: "cpu", nodes: 5 },
    { cause: "taint", nodes: 2 },
  ] as const;
  story.podObserved("work-1", {
    phase: "Pending",
    ready: false,
    unscheduled: { reason: "Unschedulable", details: { about: "scheduling", nodes: 14, causes } },
  });
  const { record, clusterContext, now } = story;
  const headlineAfter = (millis: number): string =>
    headline(deriveRecord(record, { clusterContext, now, queriedAt: now + millis }));

  it("keeps the obstacle on the most nodes where all of them are too long", () => {
    expect(headlineAfter(SILENT_AFTER_MILLIS)).toMatch(
      /; Unschedulable: Insufficient nvidia\.com\/gpu on 7 of 14 nodes\.$/,
    );
  });

  it("has at most 25 words", () => {
    for (const millis of [0, SILENT_AFTER_MILLIS]) {
      expect(headlineAfter(millis).split(/\s+/).length).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
    }
  });
});

function headlineBeside(tell: (story: Story) => void): string {
  const story = new Story("work");
  story.jobCreated({ backoffLimit: 0 });
  story.jobTracked();
  story.podCreated("a", { containers: ["work", "helper"] });
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  const { record, clusterContext, now } = story;
  return headline(deriveRecord(record, { clusterContext, now }));
}

describe("the headline of a Job with a container that ran out of memory beside another", () => {
  const oom = { reason: "OOMKilled", container: "helper", memoryLimit: "32Mi" };

  it("names the first failure, then the lack of memory", () => {
    const text = headlineBeside((s) => {
      s.containerEnded("a", 3, 5);
      s.after(4);
      s.containerEnded("a", 137, 9, oom);
      s.podTerminated("a", "Failed");
      s.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
    });
    expect(text).toContain("container work exited with code 3 once, then OOMKilled: container helper");
    expect(text.split(" ").length).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
  });

  it("names the lack of memory that a successful Pod survived", () => {
    const text = headlineBeside((s) => {
      s.containerEnded("a", 0, 5);
      s.containerEnded("a", 0, 5, oom);
      s.podTerminated("a", "Succeeded");
      s.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    });
    expect(text).toContain(
      "1 of 1 succeeded; OOMKilled: a child process of container helper (memory limit 32Mi); " +
        "the container then exited with code 0",
    );
  });
});
