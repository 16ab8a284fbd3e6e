import type { FactRef, Finding } from "../../explain/answer-document.ts";
import { restartsOf } from "../derived/attempt.ts";
import { exceedsBackOffLimit } from "../status/back-off-limit.ts";
import { durationText } from "../../text/duration-text.ts";
import { jobFactRef } from "../model/fact-ref.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant } from "../model/instant.ts";
import { endingsOf } from "../status/job-ending.ts";
import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { endedAt } from "../model/pod-end.ts";
import { podEndRef } from "./pod-end-ref.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import type { Condition } from "../model/reported-status.ts";
import { count } from "../../text/sentence.ts";

/** Which limit ended the Job, and at what count or time it stood: limits of one name, and limits that outrun each other, are easily mixed up. */
export const findLimitReached: Find = (context) => {
  const seen: Seen = { failed: new PodSample(), podDeadline: new PodSample(), taken: 0, restarts: 0 };
  return {
    look(pod) {
      if (isTakenByVerdict(pod, context.job)) seen.taken += 1;
      else if (countedAs(ledgerOf(pod, context.rules)) === "failed") seen.failed.add(pod);
      if (!failedItself(pod)) seen.restarts += restartsOf(pod);
      if (isPodDeadline(pod)) seen.podDeadline.add(pod);
    },
    found() {
      const ending = endingsOf(context.job).find(({ type }) => type === "FailureTarget" || type === "Failed");
      if (ending !== undefined) return [jobLimit(ending, seen, context)];
      return seen.podDeadline.count > 0 ? [podDeadline(seen, context)] : [];
    },
  };
};

interface Seen {
  /** Pods that stood against the limit. */
  readonly failed: PodSample;
  readonly podDeadline: PodSample;
  /** Pods that the verdict took away: Kubernetes counts them as failed too, and they led to nothing. */
  taken: number;
  /** In place, of Pods that did not fail. */
  restarts: number;
}

function failedItself(pod: PodRecord): boolean {
  const end = firstEnd(pod);
  if (end?.phase !== "Failed") return false;
  return pod.deletionRequested === undefined || compareOrder(end, pod.deletionRequested) < 0;
}

function isPodDeadline(pod: PodRecord): boolean {
  return firstEnd(pod)?.phase === "Failed" && pod.failed?.reason === "DeadlineExceeded";
}

function jobLimit(ending: Condition, seen: Seen, context: FindingContext): Finding {
  const { job } = context;
  const said = job.failed ?? job.reported;
  const evidence: FactRef[] = seen.failed.pods.flatMap(podEndRef);
  if (said !== undefined) {
    evidence.push(jobFactRef(job, said, `was reported ${ending.type} (${ending.reason ?? "no reason"})`));
  }
  const sentences = [limitText(ending, seen, context), podDeadlineText(seen, context)].filter((text) => text !== "");
  const since = ending.lastTransitionAt === undefined ? {} : { since: formatInstant(ending.lastTransitionAt) };
  return {
    kind: "LimitReached",
    message: `${sentences.join("; ")}.`,
    ...since,
    ...(seen.failed.count > 0 && seen.failed.named),
    evidence,
  };
}

function limitText(ending: Condition, seen: Seen, context: FindingContext): string {
  const { spec, status } = context;
  switch (ending.reason ?? "") {
    case "DeadlineExceeded":
      return deadlineText(ending, seen, context);
    case "BackoffLimitExceeded":
      return backOffText(seen, ending, context);
    case "PodFailurePolicy":
      return `The pod failure policy ended the Job: ${ending.message ?? "a FailJob rule matched"}; backoffLimit (${spec.backoffLimit}) was not asked`;
    case "MaxFailedIndexesExceeded":
      return `maxFailedIndexes (${spec.maxFailedIndexes ?? 0}) ended the Job: indexes ${status.failedIndexes ?? ""} had failed for good`;
    case "FailedIndexes":
      return `The limit per index failed the Job: indexes ${status.failedIndexes ?? ""} failed more often than backoffLimitPerIndex (${spec.backoffLimitPerIndex ?? 0}) allows, the others are done`;
  }
  return `The Job failed (${ending.reason ?? "no reason given"})${ending.message === undefined ? "" : `: ${ending.message}`}`;
}

function deadlineText(ending: Condition, seen: Seen, { job, spec }: FindingContext): string {
  const startTime = job.reported?.status.startTime;
  const ran =
    startTime === undefined || ending.lastTransitionAt === undefined
      ? ""
      : `, ${durationText(ending.lastTransitionAt - startTime)} after its start`;
  const limit = spec.activeDeadlineSeconds === undefined ? "" : ` (${spec.activeDeadlineSeconds} s)`;
  return (
    `The Job's activeDeadlineSeconds${limit} ended it${ran}; backoffLimit (${spec.backoffLimit}) was not reached: ` +
    `${count(seen.failed.count, "Pod")} had failed`
  );
}

/** What the limit is mistaken for where the Job has both. */
function deadlineNotReached({ lastTransitionAt }: Condition, { job, spec }: FindingContext): string {
  const startTime = job.reported?.status.startTime;
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined || lastTransitionAt === undefined) return "";
  const stood = durationText(lastTransitionAt - startTime);
  return `; the Job's activeDeadlineSeconds (${spec.activeDeadlineSeconds} s) had not run out, it stood at ${stood}`;
}

function backOffText(seen: Seen, ending: Condition, context: FindingContext): string {
  const { spec, status } = context;
  const limit = `backoffLimit (${spec.backoffLimit})${deadlineNotReached(ending, context)}`;
  // Those that a gap hid are in the Job's own counter alone.
  const failed = Math.max(seen.failed.count, (status.failed ?? 0) - seen.taken);
  const byPods = exceedsBackOffLimit({ ...spec, restartPolicy: "Never" }, { failed, restarts: 0 });
  if (byPods || spec.restartPolicy !== "OnFailure") {
    const more =
      seen.taken === 0 ? "" : `; ${count(seen.taken, "more Pod")} went with the Job's end, and count as failed too`;
    return `The back-off limit ended the Job, by Pods: ${count(failed, "Pod")} failed, ${limit}${more}`;
  }
  return (
    `The back-off limit ended the Job, by restarts in place: ${count(seen.restarts, "restart")}, ${limit}; ` +
    "restarts do not show in status.failed, and the Pod was removed with its logs"
  );
}

/** The Pod's deadline has the name of the Job's, and is none of it. */
function podDeadlineText({ podDeadline: { count: pods, pods: named } }: Seen, { spec }: FindingContext): string {
  if (pods === 0) return "";
  const seconds = named[0]?.created?.activeDeadlineSeconds ?? spec.podActiveDeadlineSeconds;
  const limit = seconds === undefined ? "" : ` (${seconds} s)`;
  const jobs =
    spec.activeDeadlineSeconds === undefined
      ? "which is not the Job's: that has none"
      : `not the Job's (${spec.activeDeadlineSeconds} s)`;
  return `${count(pods, "Pod")} ran into the Pod's own activeDeadlineSeconds${limit}, ${jobs}`;
}

function podDeadline(seen: Seen, context: FindingContext): Finding {
  const evidence = seen.podDeadline.pods.flatMap(podEndRef);
  const message = `${podDeadlineText(seen, context)} (${seen.podDeadline.list()}).`;
  return { kind: "LimitReached", message, ...seen.podDeadline.since(endedAt), ...seen.podDeadline.named, evidence };
}
