import { describe, expect, it } from "vitest";
import { attributeJobDeletion } from "../../../src/job/attribution/job-deletion.ts";
import { Story } from "../../support/story/story.ts";

const CRON_JOB = { kind: "CronJob", name: "nightly", uid: "cron" };
const WORKFLOW = { kind: "Workflow", name: "build", uid: "flow" };

/** The CronJob controller deletes in the background. */
const OF_CRON_JOB = { owner: CRON_JOB, foreground: false };

interface Life {
  readonly ttl?: number;
  readonly lingers?: number;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly finished?: boolean;
  readonly foreground?: boolean;
  readonly by?: string;
  /** The CronJob of the Job: its settings, and whether it was deleted before or after the Job. */
  readonly cronJob?: Parameters<Story["cronJob"]>[1];
  readonly cronJobGone?: "before" | "after";
  readonly failed?: boolean;
}

function deleted({ ttl, owner, lingers = 0, by, foreground = true, ...life }: Life): Story {
  const story = new Story();
  story.jobCreated(
    { ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    { ...(owner !== undefined && { owner }) },
  );
  story.jobTracked();
  if (life.cronJob !== undefined) story.cronJob(CRON_JOB.uid, life.cronJob);
  finish(story, life);
  story.after(lingers);
  if (by !== undefined) story.requested("Job", by);
  take(story, foreground, life);
  return story;
}

function finish(story: Story, { finished = true, failed = false }: Life): void {
  if (failed) story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  else if (finished) story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
}

function take(story: Story, foreground: boolean, { cronJobGone }: Life): void {
  if (cronJobGone === "before") story.cronJobDeleted(CRON_JOB.uid);
  if (foreground) story.jobDeletionRequested();
  story.jobDeleted();
  if (cronJobGone === "after") story.cronJobDeleted(CRON_JOB.uid);
}

describe("who deleted a Job", () => {
  it.each<[string, Life, string]>([
    [
      "is the TTL controller when the TTL had run out",
      { ttl: 10, lingers: 10 },
      "ttl-after-finished-controller, likely",
    ],
    ["is not the TTL controller a second before", { ttl: 10, lingers: 9 }, "unknown, possible"],
    [
      "is not the TTL controller where the Job had not finished",
      { ttl: 0, lingers: 9, finished: false },
      "unknown, possible",
    ],
    ["is not the TTL controller in the background", { ttl: 10, lingers: 60, foreground: false }, "unknown, possible"],
    ["is the CronJob controller for a finished Job of a CronJob", OF_CRON_JOB, "cronjob-controller, likely"],
    [
      "may be the CronJob controller for an unfinished one of a CronJob that was not observed",
      { ...OF_CRON_JOB, finished: false },
      "cronjob-controller, possible",
    ],
    [
      "is the CronJob controller for an unfinished one that the next run replaces",
      { ...OF_CRON_JOB, finished: false, cronJob: { concurrencyPolicy: "Replace" } },
      "cronjob-controller, likely",
    ],
    [
      "is unknown for an unfinished one that nothing replaces",
      { ...OF_CRON_JOB, finished: false, cronJob: { concurrencyPolicy: "Forbid" } },
      "unknown, possible",
    ],
    [
      "is the garbage collector where the CronJob had been deleted before",
      { ...OF_CRON_JOB, cronJob: {}, cronJobGone: "before" },
      "generic-garbage-collector, likely",
    ],
    [
      "is the CronJob controller where the CronJob was deleted afterwards",
      { ...OF_CRON_JOB, cronJob: {}, cronJobGone: "after" },
      "cronjob-controller, likely",
    ],
    [
      "is the garbage collector where the CronJob was deleted in the foreground, after its Jobs",
      { ...OF_CRON_JOB, foreground: true, cronJob: {}, cronJobGone: "after" },
      "generic-garbage-collector, likely",
    ],
    [
      "may be the garbage collector in the foreground, where the CronJob was not observed",
      { ...OF_CRON_JOB, foreground: true },
      "generic-garbage-collector, possible",
    ],
    [
      "is unknown in the foreground, where the CronJob stays",
      { ...OF_CRON_JOB, foreground: true, cronJob: {} },
      "unknown, possible",
    ],
    [
      "may be the garbage collector for a Job of another owner",
      { owner: WORKFLOW },
      "generic-garbage-collector, possible",
    ],
    ["is unknown where no controller has a reason", {}, "unknown, possible"],
    ["is who asked, by the audit log", { ttl: 10, lingers: 60, by: "alice" }, "alice, certain"],
  ])("%s", (_, life, who) => {
    const story = deleted(life);
    const by = attributeJobDeletion(story.record.job, story.clusterContext);
    expect(`${by?.actor}, ${by?.confidence}`).toBe(who);
  });

  it.each<[string, Life, name?: string, value?: number]>([
    ["the one for successes", { cronJob: { successfulJobsHistoryLimit: 5 } }, "successfulJobsHistoryLimit", 5],
    ["the default for successes", { cronJob: {} }, "successfulJobsHistoryLimit", 3],
    ["the one for failures", { failed: true, cronJob: { failedJobsHistoryLimit: 0 } }, "failedJobsHistoryLimit", 0],
    ["the default for failures", { failed: true, cronJob: {} }, "failedJobsHistoryLimit", 1],
    ["none by name if the CronJob was not observed", {}],
  ])("names the history limit that took the Job: %s", (_, life, name, value) => {
    const story = deleted({ ...OF_CRON_JOB, ...life });
    const by = attributeJobDeletion(story.record.job, story.clusterContext);
    const limit = name === undefined ? {} : { limit: { name, value } };
    expect(by?.cause).toEqual({ cause: "historyLimit", cronJob: "nightly", ...limit });
  });

  it.each<[string, Life, object]>([
    ["the request to delete the Job", { finished: false }, [{ what: "jobDeletionRequested" }]],
    ["that the Job is gone", { finished: false, foreground: false }, [{ what: "jobGone" }]],
    [
      "the request of the audit log after it",
      { by: "alice" },
      [{ what: "jobDeletionRequested" }, { what: "deletedByRequest", user: "alice", evicted: false }],
    ],
    [
      "the end of a Job whose TTL ran out",
      { ttl: 10, lingers: 10 },
      [{ what: "jobFinished", type: "Complete", reason: "CompletionsReached" }, { what: "jobDeletionRequested" }],
    ],
  ])("has as evidence %s", (_, life, expected) => {
    const story = deleted(life);
    const by = attributeJobDeletion(story.record.job, story.clusterContext);
    expect(by?.evidence.map(({ shows }) => shows)).toEqual(expected);
  });

  it("is the TTL controller by its own request, which keeps the inferred cause", () => {
    const user = "system:serviceaccount:kube-system:ttl-after-finished-controller";
    const story = deleted({ ttl: 10, lingers: 10, by: user });
    const by = attributeJobDeletion(story.record.job, story.clusterContext);
    expect(by).toMatchObject({ confidence: "certain", cause: { cause: "ttlExpired", ttlSeconds: 10 } });
    expect(by?.evidence.map(({ shows }) => shows.what)).toEqual([
      "jobFinished",
      "jobDeletionRequested",
      "deletedByRequest",
    ]);
  });

  it("is absent while the Job is there", () => {
    const story = new Story();
    story.jobCreated();
    expect(attributeJobDeletion(story.record.job, story.clusterContext)).toBeUndefined();
  });
});

describe("a Job of a name that was used before", () => {
  it("was not deleted by who deleted the one before it, though their requests name no uid", () => {
    const story = new Story();
    story.requested("Job", "alice");
    story.after(2);
    story.jobCreated();
    story.after(18);
    story.requested("Job", "bob");
    story.jobDeletionRequested();
    const by = attributeJobDeletion(story.record.job, story.clusterContext);
    expect(by).toMatchObject({ actor: "bob" });
  });
});
