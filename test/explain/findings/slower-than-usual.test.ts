import { describe, expect, it } from "vitest";
import { explainFinding } from "../../../src/explain/explain-finding.ts";
import { headline } from "../../../src/explain/headline.ts";
import { deriveRecord } from "../../../src/explain/derived-job.ts";
import { type PastRun, templateOf } from "../../../src/parents/series/past-run.ts";
import { Story } from "../../support/story/story.ts";

/** Twelve runs that took as many seconds, and the last one longer. */
function pastRuns(seconds: number, longest: number): readonly PastRun[] {
  return Array.from({ length: 12 }, (_, at) => {
    const millis = (at === 11 ? longest : seconds) * 1000;
    return {
      id: at,
      createdAt: 0,
      endedAt: at * 10_000_000,
      millis,
      template: templateOf({ parallelism: 1, completions: 1 }),
    };
  });
}

function derived(story: Story, runs: readonly PastRun[], seconds: number) {
  const { record, clusterContext } = story;
  return deriveRecord(record, { clusterContext, now: story.second(seconds), pastRuns: runs });
}

function running(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobReported({ startTime: story.now, active: 1 });
  return story;
}

describe("a Job that runs for longer than each before it", () => {
  it.each([
    ["1.5 times the 90th percentile", pastRuns(1000, 1000), 1500],
    ["the longest run", pastRuns(1000, 2000), 3000],
    ["five minutes", pastRuns(10, 20), 300],
  ])("is slower than usual after %s", (_, runs, after) => {
    expect(derived(running(), runs, after).findings).toEqual([]);
    const [finding] = derived(running(), runs, after + 1).findings;
    expect(finding).toMatchObject({ kind: "SlowerThanUsual", since: running().second(after) });
  });

  it("has a message with the usual durations", () => {
    const late = derived(running(), pastRuns(600, 1200), 7200);
    const [finding] = late.findings;
    expect(finding && explainFinding(finding)).toMatchObject({
      message:
        "The Job has been running for 2 h: of the last 12 successful runs, nine in ten took at most 20 min, " +
        "and the longest took 20 min.",
      evidence: [{ kind: "JobCreated", object: "job/render", detail: "was created" }],
    });
    expect(headline(late)).toBe("Running: 0 of 1 succeeded; slower than usual: 2 h so far, at most 20 min before.");
  });

  it("is not while it waits, is suspended, or once it has ended", () => {
    const pending = new Story();
    pending.jobCreated();
    const suspended = new Story();
    suspended.jobCreated({ suspend: true });
    const ended = running();
    ended.after(9000);
    ended.jobFinished("Complete");
    for (const story of [pending, suspended, ended]) {
      const kinds = derived(story, pastRuns(10, 10), 9000).findings.map(({ kind }) => kind);
      expect(kinds).not.toContain("SlowerThanUsual");
    }
  });

  it("is not without enough runs to compare with", () => {
    expect(derived(running(), pastRuns(10, 10).slice(0, 9), 9000).findings).toEqual([]);
  });
});
