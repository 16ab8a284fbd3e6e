import { describe, expect, it } from "vitest";
import { describeDeletionCause, presentAttribution } from "../../src/explain/explain-deletion.ts";
import type { Attribution, DeletionCause, DeletionShows } from "../../src/job/attribution/attribution.ts";
import { evidenceOf } from "../support/story/explained.ts";

describe("the reason of a deletion", () => {
  it.each<[DeletionCause, string]>([
    [
      { cause: "ttlExpired", ttlSeconds: 60, afterMillis: 61_000 },
      "ttlSecondsAfterFinished: 60 ran out; it was deleted 1 min 1 s after it had finished",
    ],
    [
      { cause: "historyLimit", cronJob: "nightly", limit: { name: "failedJobsHistoryLimit", value: 1 } },
      "it was beyond failedJobsHistoryLimit (1) of CronJob nightly",
    ],
    [{ cause: "historyLimit", cronJob: "nightly" }, "it was beyond the history limit of CronJob nightly"],
    [
      { cause: "replacedByCronJob", cronJob: "nightly" },
      "CronJob nightly replaced it by its next run (concurrencyPolicy: Replace)",
    ],
    [{ cause: "cronJobDeleted", cronJob: "nightly" }, "its CronJob nightly was deleted, and its Jobs with it"],
    [
      { cause: "ownerDeletedJob", owner: { kind: "Workflow", name: "etl" } },
      "its owner, Workflow etl, was deleted or deleted it",
    ],
    [{ cause: "jobFailed", reason: "DeadlineExceeded" }, "the Job had failed (DeadlineExceeded)"],
    [{ cause: "jobComplete" }, "the Job was complete"],
    [{ cause: "nodeGone" }, "its node was deleted"],
    [{ cause: "preempted" }, "it was preempted for a Pod of higher priority"],
    [{ cause: "unknown" }, "no observation shows who requested it; an audit log would"],
  ])("%o is: %s", (cause, text) => {
    expect(describeDeletionCause(cause)).toBe(text);
  });

  it.each<[string, "Job" | "Pod", boolean, string]>([
    [
      "system:serviceaccount:kube-system:ttl-after-finished-controller",
      "Job",
      false,
      "ttlSecondsAfterFinished ran out",
    ],
    ["system:serviceaccount:kube-system:job-controller", "Pod", false, "the Job controller no longer needed it"],
    ["ada", "Pod", false, "ada deleted it"],
    ["ada", "Pod", true, "ada evicted it"],
  ])("of a request of %s for a %s (evicted: %s) is: %s", (user, object, evicted, text) => {
    expect(describeDeletionCause({ cause: "request", object, user, evicted })).toBe(text);
  });
});

describe("an attribution in an answer", () => {
  it.each<[DeletionShows, string]>([
    [{ what: "deletedByRequest", user: "ada", evicted: false }, "was deleted by a request of ada"],
    [{ what: "deletedByRequest", user: "ada", evicted: true }, "was evicted by a request of ada"],
    [{ what: "jobFinished", type: "Failed", reason: "DeadlineExceeded" }, "was reported Failed (DeadlineExceeded)"],
    [
      { what: "disruptionTarget", reason: "PreemptionByScheduler" },
      "was marked as DisruptionTarget: PreemptionByScheduler",
    ],
    [{ what: "podDeletion" }, "was marked for deletion before it had ended"],
    [
      { what: "podDeletion", endedBefore: { phase: "Succeeded", millis: 3_000 } },
      "was marked for deletion 3 s after it had succeeded",
    ],
    [
      { what: "podGcSweeps", sweeps: 3 },
      "was deleted among ended Pods of many Jobs, in one of 3 or more sweeps 20 s apart, as Pod GC makes them",
    ],
  ])("has as evidence for %o: %s", (shows, detail) => {
    const attribution: Attribution = {
      actor: "ada",
      cause: { cause: "unknown" },
      confidence: "possible",
      evidence: [evidenceOf(shows)],
    };
    expect(presentAttribution(attribution)).toMatchObject({
      actor: "ada",
      cause: "no observation shows who requested it; an audit log would",
      confidence: "possible",
      evidence: [{ detail }],
    });
  });
});
