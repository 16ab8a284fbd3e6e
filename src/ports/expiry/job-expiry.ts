import { DAY_MILLIS, type Instant, LATEST } from "../../job/model/instant.ts";
import type { Held } from "../meta-key.ts";

/** For how long Jobs are kept in a store that deletes expired rows by itself (DynamoDB's time to live). */
export interface JobRetention {
  /** The days after their end for which Jobs of a namespace are kept; `undefined`: for ever. */
  daysOf(cluster: string, namespace: string): number | undefined;
  /** The longest of a cluster; `undefined` if Jobs of a namespace are kept for ever. */
  longestOf(cluster: string): number | undefined;
  /** The hold that covers the Jobs of a name. */
  holdOn(job: Required<Held>): object | undefined;
}

/** A Job by its name. */
export interface NamedJob {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

export interface EndedJob extends NamedJob {
  /** When the Job ended: its retention begins. */
  readonly endedAt: Instant;
  /** Of a run: the names of its Jobs. A hold on one of them holds the run. */
  readonly jobNames?: readonly string[] | undefined;
}

/** The expiry of a row that is not deleted: the last second of the year 9999. */
export const NEVER: Instant = wholeSeconds(LATEST);

/** The archive reads the state of a Job at most this many days after the Job's last fact. */
const UNTIL_ARCHIVED_DAYS = 2;
/**
 * Pages are kept this many days longer than the state that refers to them, because DynamoDB deletes items in any order.
 */
const PAGES_MORE_DAYS = 7;

/** The same retention for all Jobs. */
export function uniformRetention(days: number): JobRetention {
  return { daysOf: () => days, longestOf: () => days, holdOn: () => undefined };
}

/**
 * The expiry of an ended Job's state that is written now. A Job may have ended years before its first fact arrived,
 * because a cluster keeps Jobs that nothing deletes.
 */
export function stateExpiry(job: EndedJob, retention: JobRetention, now: Instant): Instant {
  return Math.max(keptUntil(job, retention), soonestExpiry(now));
}

/**
 * When a page of a large Job expires that is written now. It is not rewritten after the end of its Job, so it is kept
 * for twice the retention. A Job that lives as long as the retention therefore keeps its oldest Pods for the whole
 * retention after its end. A Job without a known name follows the longest rule of its cluster.
 */
export function pageExpiry(
  job: Partial<NamedJob> & Pick<NamedJob, "cluster">,
  retention: JobRetention,
  now: Instant,
): PageExpiry {
  const { cluster, namespace = "", name = "" } = job;
  const days = namespace === "" ? retention.longestOf(cluster) : retention.daysOf(cluster, namespace);
  if (days === undefined || retention.holdOn({ cluster, namespace, name }) !== undefined) {
    return { expiresAt: NEVER, isDueBefore: NEVER };
  }
  return {
    expiresAt: wholeSeconds(now + 2 * days * DAY_MILLIS),
    isDueBefore: wholeSeconds(now + days * DAY_MILLIS),
  };
}

interface PageExpiry {
  readonly expiresAt: Instant;
  /** A page that expires earlier is written again, to extend its expiry. */
  readonly isDueBefore: Instant;
}

/** The new expiry of the state of an ended Job after a change of the retention; `undefined`: it keeps its expiry. */
export function renewedExpiry(
  job: EndedJob & { readonly expiresAt: Instant },
  retention: JobRetention,
  now: Instant,
): Instant | undefined {
  const until = keptUntil(job, retention);
  const latest = Math.max(until, soonestExpiry(now));
  return until <= job.expiresAt && job.expiresAt <= latest ? undefined : latest;
}

/** A Job, and when its state expires; absent while the Job is live. */
export interface JobWithPages extends NamedJob {
  readonly stateExpiresAt: Instant | undefined;
}

/**
 * The new expiry of a page after a change of the retention; `undefined`: it keeps its expiry. No page expires before
 * the state of its Job.
 */
export function renewedPageExpiry(
  page: Instant,
  { stateExpiresAt: state, ...job }: JobWithPages,
  { retention, now }: { readonly retention: JobRetention; readonly now: Instant },
): Instant | undefined {
  if (state === undefined) {
    const { expiresAt, isDueBefore } = pageExpiry(job, retention, now);
    return isDueBefore <= page && page <= expiresAt ? undefined : expiresAt;
  }
  // Pages that were written at the end of the Job expire one retention period after its state.
  const moreDays = Math.max(retention.daysOf(job.cluster, job.namespace) ?? 0, PAGES_MORE_DAYS);
  const isKept = state <= page && page <= Math.min(NEVER, state + moreDays * DAY_MILLIS);
  return isKept ? undefined : Math.min(NEVER, state + PAGES_MORE_DAYS * DAY_MILLIS);
}

/** When the retention of a Job ends. */
export function keptUntil(job: EndedJob, retention: JobRetention): Instant {
  const { cluster, namespace, name, endedAt, jobNames = [] } = job;
  const isHeld = (held: string) => retention.holdOn({ cluster, namespace, name: held }) !== undefined;
  if (isHeld(name) || jobNames.some(isHeld)) return NEVER;
  const days = retention.daysOf(cluster, namespace);
  return days === undefined ? NEVER : Math.min(NEVER, wholeSeconds(endedAt + days * DAY_MILLIS));
}

function soonestExpiry(now: Instant): Instant {
  return wholeSeconds(now + UNTIL_ARCHIVED_DAYS * DAY_MILLIS);
}

/** The time to live of an item has whole seconds. */
function wholeSeconds(instant: Instant): Instant {
  return Math.floor(instant / 1_000) * 1_000;
}
