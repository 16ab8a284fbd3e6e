import { describe, expect, it } from "vitest";
import type { DeletionShows } from "../../../src/job/attribution/attribution.ts";
import { attributeToCronJob, type JobDeletionCase } from "../../../src/job/attribution/cron-job-deletion.ts";
import { jobEvidence } from "../../../src/job/model/evidence.ts";
import { Story } from "../../support/story/story.ts";

const OWNER = { kind: "CronJob", name: "nightly", uid: "cron-1" };

function caseOf(tell: (story: Story) => void, owner = OWNER): JobDeletionCase {
  const story = new Story("nightly-1");
  story.jobCreated({}, { owner });
  tell(story);
  const { job } = story.record;
  const deletion = job.deletionRequested ?? job.deleted;
  if (deletion === undefined) throw new Error("The Job was deleted.");
  const shows: DeletionShows = { what: "jobGone" };
  return { job, clusterContext: story.clusterContext, deletion, evidence: jobEvidence(job, deletion, shows) };
}

const finishes =
  (type: "Complete" | "Failed") =>
  (story: Story): void => (story.jobFinished(type), story.jobDeleted());

describe("a deleted Job of a CronJob", () => {
  it.each<[string, (story: Story) => void, object | undefined]>([
    [
      "was beyond the history of successes, three by default",
      (s) => (s.cronJob(OWNER.uid), finishes("Complete")(s)),
      {
        actor: "cronjob-controller",
        confidence: "likely",
        cause: { cause: "historyLimit", cronJob: "nightly", limit: { name: "successfulJobsHistoryLimit", value: 3 } },
      },
    ],
    [
      "was beyond the history of failures that the CronJob sets",
      (s) => (s.cronJob(OWNER.uid, { failedJobsHistoryLimit: 5 }), finishes("Failed")(s)),
      { cause: { cause: "historyLimit", limit: { name: "failedJobsHistoryLimit", value: 5 } } },
    ],
    [
      "was beyond a history whose limit was not observed",
      finishes("Complete"),
      { cause: { cause: "historyLimit", cronJob: "nightly" } },
    ],
    [
      "was replaced while it ran",
      (s) => (s.cronJob(OWNER.uid, { concurrencyPolicy: "Replace" }), s.jobDeleted()),
      { confidence: "likely", cause: { cause: "replacedByCronJob", cronJob: "nightly" } },
    ],
    [
      "may have been replaced, where the CronJob was not observed",
      (s) => s.jobDeleted(),
      { confidence: "possible", cause: { cause: "cronJobNotObserved", cronJob: "nightly" } },
    ],
    ["was not replaced where the policy forbids it", (s) => (s.cronJob(OWNER.uid), s.jobDeleted()), undefined],
    [
      "went with its CronJob, which was deleted before",
      (s) => (s.cronJob(OWNER.uid), s.cronJobDeleted(OWNER.uid), s.jobDeleted()),
      { actor: "generic-garbage-collector", cause: { cause: "cronJobDeleted", cronJob: "nightly" } },
    ],
    [
      "went before its CronJob, in a deletion in the foreground",
      (s) => (s.cronJob(OWNER.uid), s.jobDeletionRequested(), s.cronJobDeleted(OWNER.uid)),
      { cause: { cause: "cronJobDeleted", cronJob: "nightly" } },
    ],
    [
      "may have gone with a CronJob that was not observed, in the foreground",
      (s) => s.jobDeletionRequested(),
      { confidence: "possible", cause: { cause: "cronJobDeletedInForeground", cronJob: "nightly" } },
    ],
    [
      "is not explained by a CronJob of another namespace",
      (s) => (s.cronJob(OWNER.uid, { namespace: "other" }), finishes("Complete")(s)),
      { cause: { cause: "historyLimit", cronJob: "nightly" } },
    ],
  ])("%s", (_, tell, expected) => {
    const found = attributeToCronJob(caseOf(tell));
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it("does not reveal the limit of a CronJob in another namespace", () => {
    const found = attributeToCronJob(
      caseOf((s) => (s.cronJob(OWNER.uid, { namespace: "other" }), finishes("Complete")(s))),
    );
    expect(found?.cause).not.toHaveProperty("limit");
  });

  it("is not attributed here if another kind of object owns it", () => {
    expect(attributeToCronJob(caseOf((s) => s.jobDeleted(), { ...OWNER, kind: "Workflow" }))).toBeUndefined();
  });
});
