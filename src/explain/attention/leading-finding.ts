import type { CronFinding } from "../../parents/cron-job/cron-findings.ts";
import type { Finding, JobAnswer } from "../answer-document.ts";
import { KIND_TEXTS } from "../findings/findings.ts";

/** Why a Job is in the attention list: the first of its findings. */
export interface LeadingFinding {
  readonly kind: string;
  readonly message: string;
  readonly since?: string | undefined;
}

/** Lists do not read the Pods of a very large Job, so its row may need attention without saying why. */
export function leadingFinding({ findings, verdict }: Pick<JobAnswer, "findings" | "verdict">): LeadingFinding {
  const [first] = findings.toSorted((a, b) => compareKinds(a.kind, b.kind));
  return first === undefined ? unread(verdict) : leadingOf(first);
}

function leadingOf({ kind, message, since }: Finding): LeadingFinding {
  return { kind, message, since };
}

function unread({ state, reason, since }: JobAnswer["verdict"]): LeadingFinding {
  const why = reason === undefined ? "" : ` (${reason})`;
  return {
    kind: PODS_UNREAD,
    message: `State: ${state}${why}. Lists do not read its Pods: the answer about the Job has its findings.`,
    since,
  };
}

const CRON_TITLES: Readonly<Record<CronFinding["kind"], string>> = {
  MissedRun: "Missed run",
  ConsecutiveFailures: "Consecutive failures",
  OverlappingRun: "Overlapping run",
  TrendSlower: "Slower than before",
};

const PODS_UNREAD = "PodsUnread";

const TITLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CRON_TITLES),
  ...Object.entries(KIND_TEXTS).map(([kind, { title }]) => [kind, title] as const),
  [PODS_UNREAD, "Findings of a large Job"],
]);

/** A kind in words. One of a later release has none. */
export function titleOfKind(kind: string): string {
  return TITLES.get(kind) ?? kind;
}

const FAILED_CRON_KINDS: readonly string[] = ["ConsecutiveFailures", "MissedRun"];
/** What a CronJob has failed to do leads, and what may fail of it follows its Jobs. */
const ORDER: readonly string[] = [
  ...FAILED_CRON_KINDS,
  ...Object.keys(KIND_TEXTS),
  ...Object.keys(CRON_TITLES).filter((kind) => !FAILED_CRON_KINDS.includes(kind)),
  PODS_UNREAD,
];

/** The order in which kinds lead an entry. Those of a later release come last. */
export function compareKinds(a: string, b: string): number {
  return rankOf(a) - rankOf(b);
}

function rankOf(kind: string): number {
  const rank = ORDER.indexOf(kind);
  return rank === -1 ? ORDER.length : rank;
}
