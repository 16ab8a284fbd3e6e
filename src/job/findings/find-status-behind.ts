import type { Finding } from "../../explain/answer-document.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { jobFactRef, podFactRef } from "../model/fact-ref.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { reportedTotal } from "../accounting/reported-total.ts";
import { count } from "../../text/sentence.ts";

/** A quiet controller counts within 1.2 s, a loaded one within 60 s (measured): what it has not counted after this long it may never count. */
const BEHIND_MS = 120_000;

/** Pods that ended a while ago and that Kubernetes' own status of the Job does not count. A Job that is over, or gone, is behind nothing. */
export const findStatusBehind: Find = (context) => {
  const ended = { succeeded: new PodSample(), failed: new PodSample() };
  return {
    look(pod) {
      const ledger = countedAs(ledgerOf(pod, context.rules));
      if (ledger !== "succeeded" && ledger !== "failed") return;
      const end = firstEnd(pod);
      if (end !== undefined && context.now - (endedAt(pod) ?? end.at) >= BEHIND_MS) ended[ledger].add(pod);
    },
    found() {
      const succeeded = behind("succeeded", ended.succeeded, context);
      const failed = behind("failed", ended.failed, context);
      const late = [...(succeeded > 0 ? ended.succeeded.pods : []), ...(failed > 0 ? ended.failed.pods : [])];
      return succeeded > 0 || failed > 0 ? [finding({ succeeded, failed }, late, context)] : [];
    },
  };
};

/** How many more Pods ended so than Kubernetes reports. */
function behind(ledger: "succeeded" | "failed", ended: PodSample, { job, spec, rules }: FindingContext): number {
  const { reported } = job;
  if (reported === undefined || isOver(job)) return 0;
  // An index may succeed twice, and counts once; a failed Pod of one is held back by design (job-semantics 7).
  if (rules.completions !== undefined && (ledger === "succeeded" || spec.backoffLimitPerIndex !== undefined)) return 0;
  return ended.count - reportedTotal(reported.status, ledger);
}

/** Kubernetes has closed the Job's books: it is finished, going, or gone. */
function isOver({ complete, failed, deletionRequested, deleted, vanished }: FindingContext["job"]): boolean {
  return [complete, failed, deletionRequested, deleted, vanished].some((fact) => fact !== undefined);
}

function finding(
  missing: { readonly succeeded: number; readonly failed: number },
  late: readonly PodRecord[],
  { job, now }: FindingContext,
): Finding {
  const { reported } = job;
  const { active = 0, succeeded = 0, failed = 0 } = reported?.status ?? {};
  const parts = [
    ...(missing.succeeded > 0 ? [`${count(missing.succeeded, "success")} more`] : []),
    ...(missing.failed > 0 ? [`${count(missing.failed, "failure")} more`] : []),
  ];
  const message = `Kubernetes reports active ${active}, succeeded ${succeeded}, failed ${failed}; there ${are(missing)} ${parts.join(" and ")} than it counts.`;
  const latest = late.map(endOf).filter((end) => end !== undefined && end <= now);
  const evidence = [
    ...late.flatMap((pod) => {
      const end = firstEnd(pod);
      return end === undefined
        ? []
        : [podFactRef(pod, end, end.phase === "Succeeded" ? "succeeded" : "failed", endOf(pod))];
    }),
    ...(reported === undefined
      ? []
      : [jobFactRef(job, reported, `was reported as active ${active}, succeeded ${succeeded}, failed ${failed}`)]),
  ];
  const first = latest.length === 0 ? undefined : Math.min(...latest.filter((end) => end !== undefined));
  return { kind: "StatusBehind", message, ...(first !== undefined && { since: formatInstant(first) }), evidence };
}

function are({ succeeded, failed }: { readonly succeeded: number; readonly failed: number }): string {
  return succeeded + failed === 1 ? "is" : "are";
}

function endOf(pod: PodRecord): Instant | undefined {
  return endedAt(pod) ?? firstEnd(pod)?.at;
}
