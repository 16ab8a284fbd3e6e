import type { CronFinding } from "../../parents/cron-job/cron-findings.ts";
import type { Finding, JobAnswer } from "../answer-document.ts";
import { KIND_TEXTS } from "../findings/findings.ts";

/** Why a Job is in the attention list: the first of its findings in the order of the page. */
export interface LeadingFinding {
  readonly kind: string;
  readonly title: string;
  readonly message: string;
  readonly since?: string | undefined;
}

const ORDER = Object.keys(KIND_TEXTS);

/** Lists do not read the Pods of a very large Job, so its row may need attention without saying why. */
export function leadingFinding({ findings, verdict }: Pick<JobAnswer, "findings" | "verdict">): LeadingFinding {
  const [first] = findings.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return first === undefined ? unread(verdict) : leadingOf(first);
}

function leadingOf({ kind, message, since }: Finding): LeadingFinding {
  return { kind, title: KIND_TEXTS[kind].title, message, since };
}

function unread({ state, reason, since }: JobAnswer["verdict"]): LeadingFinding {
  const why = reason === undefined ? "" : ` (${reason})`;
  return {
    kind: "PodsUnread",
    title: "Findings of a large Job",
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

export function titleOfCronFinding(kind: CronFinding["kind"]): string {
  return CRON_TITLES[kind];
}
