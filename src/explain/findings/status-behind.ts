import { countedAs, ledgerOf } from "../../job/accounting/ledger.ts";
import { reportedTotal } from "../../job/accounting/reported-total.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, jobEvidence, podEvidence } from "../../job/model/evidence.ts";
import type { Instant } from "../../job/model/instant.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count } from "../../job/text/sentence.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";

export type StatusBehind = FindingOf<
  "StatusBehind",
  {
    readonly reported: ReportedCounts;
    /** Ends that the reported status lacks. */
    readonly missing: { readonly succeeded: number; readonly failed: number };
  },
  StatusBehindShows
>;
export interface ReportedCounts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}
export type StatusBehindShows =
  | { readonly what: "ended"; readonly phase: "Succeeded" | "Failed" }
  | { readonly what: "reported"; readonly reported: ReportedCounts };

/**
 * How long a controller may take to count: an idle one needs 1.2 s, a loaded one up to 60 s (measured). What is not
 * counted after this time may never be.
 */
const BEHIND_MS = 120_000;

/**
 * Pods that ended some time ago and that the reported status does not count. It does not apply to a Job that is over or
 * gone.
 */
const find: Find<StatusBehind> = (context) => {
  const ended = { succeeded: new PodSample(), failed: new PodSample() };
  return {
    visit(pod) {
      const ledger = countedAs(ledgerOf(pod, context.rules));
      if (ledger !== "succeeded" && ledger !== "failed") return;
      const end = firstEnd(pod);
      if (end !== undefined && context.now - (endedAt(pod) ?? end.at) >= BEHIND_MS) ended[ledger].add(pod);
    },
    found() {
      const succeeded = missingFrom("succeeded", ended.succeeded, context);
      const failed = missingFrom("failed", ended.failed, context);
      const late = [...(succeeded > 0 ? ended.succeeded.pods : []), ...(failed > 0 ? ended.failed.pods : [])];
      return succeeded > 0 || failed > 0 ? [findingOf({ succeeded, failed }, late, context)] : [];
    },
  };
};

/** What the page says about the kind. */
export const statusBehindText: KindText = {
  title: "Status behind",
  meaning: "The status that Kubernetes reports lags behind the facts.",
};

export const statusBehind: FindingRegistration<StatusBehind> = {
  rule: { of: "managedJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => ["Look at the Job controller: it is slow, or does not run (its queue, its request limits, its log)."],
  headline: { place: "behind", clauses: () => [{ full: "Kubernetes has not reported it yet" }] },
};

/** The number of Pods that ended this way beyond those that Kubernetes reports. */
function missingFrom(ledger: "succeeded" | "failed", ended: PodSample, { job, spec, rules }: FindingContext): number {
  const { reported } = job;
  if (reported === undefined || isOver(job)) return 0;
  // An index may succeed twice and counts once. A failed Pod of an index is held back by design (job-semantics 7).
  if (rules.completions !== undefined && (ledger === "succeeded" || spec.backoffLimitPerIndex !== undefined)) return 0;
  return ended.count - reportedTotal(reported.status, ledger);
}

/** Kubernetes no longer updates the counters: the Job is finished, being deleted, or gone. */
function isOver({ complete, failed, deletionRequested, deleted, vanished }: FindingContext["job"]): boolean {
  return [complete, failed, deletionRequested, deleted, vanished].some((fact) => fact !== undefined);
}

function findingOf(
  missing: StatusBehind["missing"],
  late: readonly PodRecord[],
  { job, now }: FindingContext,
): StatusBehind {
  const { active = 0, succeeded = 0, failed = 0 } = job.reported?.status ?? {};
  const reported = { active, succeeded, failed };
  const ends = late.map(endOf).filter((end) => end !== undefined && end <= now);
  const first = ends.length === 0 ? undefined : Math.min(...ends.filter((end) => end !== undefined));
  const reports =
    job.reported === undefined ? [] : [jobEvidence(job, job.reported, { what: "reported", reported } as const)];
  return {
    kind: "StatusBehind",
    reported,
    missing: { succeeded: Math.max(0, missing.succeeded), failed: Math.max(0, missing.failed) },
    ...(first !== undefined && { since: first }),
    evidence: [...late.flatMap(endEvidence), ...reports],
  };
}

function endEvidence(pod: PodRecord): readonly Evidence<StatusBehindShows>[] {
  const end = firstEnd(pod);
  if (end === undefined) return [];
  return [podEvidence(pod, end, { shows: { what: "ended", phase: end.phase }, at: endOf(pod) })];
}

function endOf(pod: PodRecord): Instant | undefined {
  return endedAt(pod) ?? firstEnd(pod)?.at;
}

function messageOf({ reported, missing }: StatusBehind): string {
  const { succeeded, failed } = missing;
  const parts = [
    ...(succeeded > 0 ? [`${count(succeeded, "success")} more`] : []),
    ...(failed > 0 ? [`${count(failed, "failure")} more`] : []),
  ];
  const are = succeeded + failed === 1 ? "is" : "are";
  return `Kubernetes reports ${countsText(reported)}; there ${are} ${parts.join(" and ")} than it counts.`;
}

function countsText({ active, succeeded, failed }: ReportedCounts): string {
  return `active ${active}, succeeded ${succeeded}, failed ${failed}`;
}

function describeShown(shows: StatusBehindShows): string {
  switch (shows.what) {
    case "ended":
      return shows.phase === "Succeeded" ? "succeeded" : "failed";
    case "reported":
      return `was reported as ${countsText(shows.reported)}`;
  }
}
