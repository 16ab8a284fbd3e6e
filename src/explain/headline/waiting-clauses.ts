import type { DerivedJob } from "../derived-job.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { count } from "../../job/text/sentence.ts";
import { isMixture } from "../cause/cause-mixture.ts";
import { shortWaitingText, waitingText } from "../cause/explain-waiting.ts";
import { withoutWaitingDetails } from "../cause/without-details.ts";
import type { Clause } from "./clause.ts";

/** What the Job waits for. If no Pod runs, the state already says since when. */
export function waitingClauses(derived: DerivedJob): readonly Clause[] {
  const { waiting } = derived;
  if (waiting === undefined) return [];
  if (waiting.reason === "Suspended") return remainingPods(derived);
  const shown = isShownByCause(derived) ? withoutWaitingDetails(waiting) : waiting;
  const [text, brief] = [waitingText(shown), waitingText(withoutWaitingDetails(shown))];
  if (waiting.running === 0 || waiting.reason === "Queued") {
    const short = shortWaitingText(shown);
    return [{ full: text, ...(short !== undefined && { short }), brief }, ...suspendedPods(derived)];
  }
  const who = `${count(waiting.podCount, "Pod")} waiting since ${formatInstant(waiting.since)}`;
  return [{ full: `${who}: ${text}`, brief: `${who}: ${brief}`, necessary: true }];
}

/** The restarts of one container may have several causes. The Job's cause names them. */
function isShownByCause({ waiting, cause }: Pick<DerivedJob, "waiting" | "cause">): boolean {
  return waiting?.why.cause === "backOff" && cause !== undefined && isMixture(cause);
}

function suspendedPods(derived: DerivedJob): readonly Clause[] {
  return derived.spec.suspend ? remainingPods(derived) : [];
}

/** A suspended Job may still have Pods until the Job controller has deleted them and they have ended. */
function remainingPods({ tally: { outcomes } }: Pick<DerivedJob, "tally">): readonly Clause[] {
  const { Active: active, Terminating: terminating } = outcomes;
  if (active + terminating === 0) return [];
  const parts = [
    ...(active === 0 ? [] : [`${count(active, "Pod")} still active`]),
    ...(terminating === 0 ? [] : [`${count(terminating, "Pod")} still terminating`]),
  ];
  return [{ full: parts.join(", "), necessary: true }];
}
