import type { Cause } from "../../job/cause/cause.ts";
import type { PodCause, PodCauseOf } from "../../job/cause/pod-cause.ts";
import type { DerivedJob } from "../derived-job.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { SchedulingCause } from "../../job/model/message-details.ts";
import { count } from "../../job/text/sentence.ts";
import { isMixture, mixtureText, nameCause, shortMixtureText } from "../cause/cause-mixture.ts";
import { describeCause, lostInBrief, shortCauseText } from "../cause/describe-cause.ts";
import { schedulingText } from "../cause/details-text.ts";
import { causeText, countedBriefly, countedText } from "../cause/explain-cause.ts";
import { collateralText, stoppedTexts } from "../cause/stopped-pods-text.ts";
import { withoutDetails } from "../cause/without-details.ts";
import type { Clause } from "./clause.ts";

/** Why a failed Job failed. */
export function causeClauses(derived: DerivedJob): readonly Clause[] {
  const { cause } = derived;
  if (cause === undefined) return [];
  const others = ranUntilDeadline(derived);
  if (others > 0 && isNeverRun(cause)) return [partClause(derived, cause, others)];
  const clause = { full: withSince(causeText(cause), cause), ...shorterCause(cause), necessary: true };
  return [clause, ...countedClause(cause)];
}

/** How many Pods ran until the deadline. They are not causes of the failure. */
function ranUntilDeadline({ verdict, stopped }: DerivedJob): number {
  return verdict.reason === "DeadlineExceeded" ? (stopped?.byEnd ?? 0) : 0;
}

function isNeverRun(cause: Cause): boolean {
  const { cause: name } = cause.why;
  return !isMixture(cause) && cause.attempts > 0 && (name === "notScheduled" || NEVER_RUN.has(name));
}

const NEVER_RUN: ReadonlySet<PodCause["cause"]> = new Set([
  "imageNotPulled",
  "containerNotStarted",
  "volumeNotMounted",
  "sandboxFailed",
]);

/** For a Job in which some Pods never ran and the others ran until the deadline: the line names both. */
function partClause({ tally: { outcomes } }: DerivedJob, { why, attempts }: Cause, others: number): Clause {
  const all = Object.values(outcomes).reduce((sum, pods) => sum + pods, 0);
  const what = why.cause === "notScheduled" ? "never scheduled" : "never ran";
  const who = `${attempts} of ${all} Pods ${what}`;
  const brief = `${who} (${why.cause === "notScheduled" ? obstacleOf(why) : nameCause(why)}), ${others} ran`;
  return {
    full: `${who} (${describeCause(why)}), ${others} ran until then`,
    short: `${brief} until then`,
    brief,
    necessary: true,
  };
}

function obstacleOf({ reason, details }: PodCauseOf<"notScheduled">): string {
  const first = details?.causes[0];
  return first === undefined ? reason : schedulingText({ about: "scheduling", causes: [withoutNodes(first)] });
}

function withoutNodes({ cause, resource }: SchedulingCause): SchedulingCause {
  return { cause, ...(resource !== undefined && { resource }) };
}

function shorterCause(cause: Cause): Pick<Clause, "short" | "brief"> {
  if (isMixture(cause)) return { brief: shortMixtureText(cause) };
  const short = shortCauseText(cause.why);
  return {
    short: short === undefined ? shortOfAll(cause) : withSince(short, cause),
    brief: withSince(describeCause(withoutDetails(cause.why)), cause),
  };
}

/** If all attempts failed for one cause, their number is less informative than the cause. */
function shortOfAll(cause: Cause): string {
  const { why, attempts, unsuccessful } = cause;
  return attempts > 0 && attempts === unsuccessful ? describeCause(why) : causeText(cause);
}

/** Since when a Pod waited that never ran. If a deadline ended it later, the deadline is not its cause. */
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

/** Whether it is unknown how an attempt ended. It is then not known to have failed. */
function hasUnknown({ shares }: Cause): boolean {
  return shares.some(({ why, attempts }) => attempts > 0 && isOutcomeUnknown(why));
}

function isOutcomeUnknown({ cause }: PodCause): boolean {
  return cause === "outcomeLost" || cause === "nodeLost";
}

function countedClause(cause: Cause): readonly Clause[] {
  const [full, brief] = [countedText(cause), countedBriefly(cause)];
  const isUnexpected = cause.answered === true;
  return full === "" ? [] : [{ full, brief, follows: true, ...(isUnexpected && { necessary: true }) }];
}

/**
 * Pods that a rule of the policy removed together with the Pod that matched it. They are easily mistaken for failures.
 */
export function collateralClauses(derived: DerivedJob): readonly Clause[] {
  const { stopped, cause } = derived;
  const full = stopped === undefined ? "" : collateralText(stopped);
  // The deadline ended the Pods themselves, or the cause says how many ran until then.
  const isCause = ranUntilDeadline(derived) > 0 && (cause === undefined || isNeverRun(cause));
  return full === "" || isCause ? [] : [{ full }];
}
