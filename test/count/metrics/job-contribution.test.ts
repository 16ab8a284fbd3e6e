import { describe, expect, it } from "vitest";
import { countedJob } from "../../../src/count/metrics/counted-job.ts";
import { jobContribution } from "../../../src/count/metrics/job-contribution.ts";
import { METRIC_FAMILIES } from "../../../src/count/metrics/metric-families.ts";
import type { ClusterContext } from "../../../src/job/model/cluster-context.ts";
import { deriveRow } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

/** What a story adds, as `name{label values}/part=amount`. */
function amountsOf(story: Story, swept?: ClusterContext): readonly string[] {
  const state = { ...emptyJobState(story.jobUid), layout: "inline", record: story.record, seenAt: story.now } as const;
  const derived = deriveRow(clusterNamed("east"), state, {
    ...(swept && { clusterContext: swept }),
    sweptAt: story.now,
  });
  if (derived === undefined) return [];
  const { amounts } = jobContribution(countedJob(state, derived, swept));
  return amounts.map(({ series: { family, labels }, part, amount }) => {
    const name = METRIC_FAMILIES.find(({ number }) => number === family)?.name ?? "";
    const { cluster: _, namespace: __, ...own } = labels;
    return `${name}{${Object.values(own).join(",")}}${part === 0 ? "" : `/${part}`}=${amount}`;
  });
}

/** A Job of a CronJob that failed once and then succeeded. */
function nightly(): Story {
  const story = new Story();
  story.jobCreated({}, { owner: { kind: "CronJob", name: "nightly", uid: "cron-1" } });
  story.after(2);
  const start = story.now;
  story.jobReported({ active: 1, startTime: start });
  story.podFails("a", 1, 10);
  story.podSucceeds("b", 20);
  story.jobFinished("Complete", "CompletionsReached", { startTime: start, completionTime: story.now });
  return story;
}

describe("a Job that is not final", () => {
  it("adds to its state, and to the findings that are open", () => {
    const story = new Story();
    story.jobCreated();
    expect(amountsOf(story)).toEqual(["outlive_jobs{Pending}=1"]);
  });

  it("adds nothing to what finished", () => {
    const story = new Story();
    story.jobCreated();
    story.podStarted("a");
    expect(amountsOf(story).filter((text) => text.includes("finished"))).toEqual([]);
  });
});

describe("a Job that finished", () => {
  it("adds its end, duration, start delay and attempts under its owner", () => {
    const story = nightly();
    const text = amountsOf(story);
    expect(text).toContain("outlive_jobs_finished_total{CronJob,nightly,Complete,CompletionsReached}=1");
    expect(text).toContain("outlive_attempts_total{Failed,application}=1");
    expect(text).toContain("outlive_attempts_total{Succeeded,}=1");
    expect(text).toContain("outlive_job_duration_seconds{CronJob,nightly,Complete}=30000");
    expect(text).toContain("outlive_job_duration_seconds{CronJob,nightly,Complete}/4=1");
    expect(text).toContain(`outlive_cronjob_last_success_timestamp_seconds{nightly}=${story.now}`);
    expect(text.some((one) => one.startsWith("outlive_job_start_delay_seconds{CronJob,nightly}/"))).toBe(true);
    expect(text.some((one) => one.startsWith("outlive_jobs{"))).toBe(false);
  });

  it("without an owner is counted under <none>", () => {
    const story = new Story();
    story.jobCreated();
    story.jobFinished("Failed", "BackoffLimitExceeded");
    expect(amountsOf(story)).toContain("outlive_jobs_finished_total{<none>,<none>,Failed,BackoffLimitExceeded}=1");
  });
});

describe("a Job that was deleted before it finished", () => {
  it("is counted as deleted", () => {
    const story = new Story();
    story.jobCreated();
    story.jobDeleted();
    expect(amountsOf(story)).toEqual(["outlive_jobs_finished_total{<none>,<none>,Deleted,}=1"]);
  });
});

describe("a Job of which only Pods were observed", () => {
  it("is not counted as finished when they are gone: its own end may still arrive", () => {
    const story = new Story();
    story.podCreated("a", { name: "render-2vxzf" });
    story.podStarted("a");
    expect(amountsOf(story)).toContain("outlive_jobs{Unknown}=1");
    story.podTerminated("a", "Succeeded");
    expect(amountsOf(story).filter((text) => text.startsWith("outlive_jobs"))).toEqual([]);
    expect(amountsOf(story)).toContain("outlive_attempts_total{Succeeded,}=1");
  });
});

describe("findings", () => {
  it("count in total once a sweep confirms them, and are open until the Job is over", () => {
    const story = new Story();
    story.jobCreated();
    story.podStarted("a");
    story.containerEnded("a", 137, 5, { restartCount: 0 });
    story.podObserved("a", { phase: "Running", ready: true, restarts: 1 });
    const open = "outlive_findings{ContainerRestarted}=1";
    const counted = "outlive_findings_total{ContainerRestarted}=1";
    expect(amountsOf(story)).toContain(open);
    expect(amountsOf(story)).not.toContain(counted);
    expect(amountsOf(story, story.clusterContext)).toEqual(expect.arrayContaining([open, counted]));
  });
});

describe("a Job that may have many Pods", () => {
  it("has attempts without categories from the beginning, because they are not read later", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 10, completions: 5_000, completionMode: "Indexed" });
    story.podFails("a", 1, 10);
    expect(amountsOf(story)).toContain("outlive_attempts_total{Failed,unread}=1");
  });
});
