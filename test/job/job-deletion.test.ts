import { describe, expect, it } from "vitest";
import { attributeJobDeletion } from "../../src/job/job-deletion.ts";
import { Story } from "../support/story.ts";

const CRON_JOB = { kind: "CronJob", name: "nightly", uid: "cron" };
const WORKFLOW = { kind: "Workflow", name: "build", uid: "flow" };

interface Life {
  readonly ttl?: number;
  readonly lingers?: number;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly finished?: boolean;
  readonly foreground?: boolean;
  readonly by?: string;
}

function deleted({ ttl, lingers = 0, owner, finished = true, foreground = true, by }: Life): Story {
  const story = new Story();
  const spec = ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl };
  story.jobCreated(spec, owner === undefined ? {} : { owner });
  story.jobTracked();
  if (finished) story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  story.after(lingers);
  if (by !== undefined) story.requested("Job", by);
  if (foreground) story.jobDeletionRequested();
  story.jobDeleted();
  return story;
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
    ["is the CronJob controller for a finished Job of a CronJob", { owner: CRON_JOB }, "cronjob-controller, likely"],
    [
      "may be the CronJob controller for an unfinished one",
      { owner: CRON_JOB, finished: false },
      "cronjob-controller, possible",
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
    const by = attributeJobDeletion(story.record.job, story.surroundings);
    expect(`${by?.actor}, ${by?.confidence}`).toBe(who);
  });

  it("is nobody while the Job is there", () => {
    const story = new Story();
    story.jobCreated();
    expect(attributeJobDeletion(story.record.job, story.surroundings)).toBeUndefined();
  });
});
