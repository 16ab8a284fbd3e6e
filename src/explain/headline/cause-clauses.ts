import type { Cause } from "../../job/cause/cause.ts";
import type { PodCause } from "../../job/cause/pod-cause.ts";
import type { DerivedJob } from "../../job/derived/derived-job.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { count } from "../../text/sentence.ts";
import { isMixture, mixtureText, shortMixtureText } from "../cause/cause-mixture.ts";
import { describeCause, lostInBrief, shortCauseText } from "../cause/describe-cause.ts";
import { causeText, countedBriefly, countedText } from "../cause/explain-cause.ts";
import { collateralText, stoppedTexts } from "../cause/stopped-pods-text.ts";
import { withoutDetails } from "../cause/without-details.ts";
import type { Clause } from "./finding-clauses.ts";

/** Why a failed Job failed. */
export function causeClauses({ cause }: DerivedJob): readonly Clause[] {
  if (cause === undefined) return [];
  const clause = { full: withSince(causeText(cause), cause), ...shorterCause(cause), necessary: true };
  return [clause, ...countedClause(cause)];
}

function shorterCause(cause: Cause): Pick<Clause, "short" | "brief"> {
  if (isMixture(cause)) return { brief: shortMixtureText(cause) };
  const short = shortCauseText(cause.why);
  return {
    short: short === undefined ? causeText(cause) : withSince(short, cause),
    brief: withSince(describeCause(withoutDetails(cause.why)), cause),
  };
}

/** Since when a Pod waited that never ran: a deadline that ended it later is not the cause. */
function withSince(text: string, { why, attempts }: Cause): string {
  const since = attempts === 1 && "since" in why ? why.since : undefined;
  return since === undefined ? text : `${text} since ${formatInstant(since)}`;
}

/** What a success cost, or what has failed so far. */
export function costClauses({ cause, stopped }: DerivedJob): readonly Clause[] {
  const stops = (stopped === undefined ? [] : stoppedTexts(stopped)).map((full) => ({ full }));
  return cause === undefined ? stops : [costClause(cause), ...countedClause(cause), ...stops];
}

function costClause(cause: Cause): Clause {
  const { why } = cause;
  const times = timesText(cause);
  const begin = times === "" ? "" : `${times}: `;
  if (isMixture(cause)) {
    return { full: `${begin}${mixtureText(cause)}`, brief: `${begin}${shortMixtureText(cause)}`, necessary: true };
  }
  if (times === "") return { full: causeText(cause), brief: describeCause(withoutDetails(why)), necessary: true };
  const full = describeCause(why);
  const brief = why.cause === "outcomeLost" ? lostInBrief(why) : describeCause(withoutDetails(why));
  // The outcome of the attempt is unknown: it may have succeeded.
  if (!hasUnknown(cause)) return { full: `${begin}${full}`, brief: `${begin}${brief}` };
  return { full, brief, necessary: true };
}

/** "2 attempts failed before, 1 restart in place". */
function timesText(cause: Cause): string {
  const attempts = cause.shares.reduce((sum, share) => sum + share.attempts, 0);
  const restarts = cause.shares.reduce((sum, share) => sum + share.restarts, 0);
  const parts = [
    ...(attempts === 0 ? [] : [`${count(attempts, "attempt")}${hasUnknown(cause) ? "" : " failed before"}`]),
    ...(restarts === 0 ? [] : [`${count(restarts, "restart")} in place`]),
  ];
  return parts.join(", ");
}

/** Whether it is unknown how an attempt ended. It did not fail, as far as is known. */
function hasUnknown({ shares }: Cause): boolean {
  return shares.some(({ why, attempts }) => attempts > 0 && isOutcomeUnknown(why));
}

function isOutcomeUnknown({ cause }: PodCause): boolean {
  return cause === "outcomeLost" || cause === "nodeLost";
}

function countedClause(cause: Cause): readonly Clause[] {
  const [full, brief] = [countedText(cause), countedBriefly(cause)];
  return full === "" ? [] : [{ full, brief, follows: true }];
}

/** Pods that a rule of the policy took with the one that it matched are easily mistaken for failures. */
export function collateralClauses({ stopped, cause, verdict }: DerivedJob): readonly Clause[] {
  const full = stopped === undefined ? "" : collateralText(stopped);
  // Without another cause, the deadline ended the Pods themselves.
  const isCause = verdict.reason === "DeadlineExceeded" && cause === undefined;
  return full === "" || isCause ? [] : [{ full }];
}
