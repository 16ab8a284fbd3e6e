import type { DerivedJob } from "./derived-job.ts";
import { finishedAt } from "../job/status/job-ending.ts";
import { durationText } from "../job/text/duration-text.ts";
import { byWhom } from "./attribution-text.ts";
import { describeDeletionCause } from "./explain-deletion.ts";

/** Who deleted the Job, and when; `undefined` while it exists. */
export function jobDeletionText({ job, deletedBy, verdict }: DerivedJob): string | undefined {
  if ((job.deleted ?? job.vanished) === undefined) return undefined;
  if (deletedBy === undefined) return "the Job object is gone, and its deletion was not observed";
  const finishAt = finishedAt(job);
  const requestedAt = job.deletionRequested?.requestedAt;
  const after =
    finishAt === undefined || requestedAt === undefined
      ? ""
      : `, ${durationText(requestedAt - finishAt)} after it had finished`;
  const why =
    verdict.state === "Deleted" && deletedBy.actor !== "unknown" ? `: ${describeDeletionCause(deletedBy.cause)}` : "";
  return `the Job was deleted ${byWhom(deletedBy)}${after}${why}`;
}
