import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import type { Attribution } from "../attribution/attribution.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { type Evidence, podEvidence } from "../model/evidence.ts";
import { firstEnd, type LostEnd, lostEndOf, outcomeOf } from "../model/outcome.ts";
import { hasRun } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { PodSample } from "./pod-sample.ts";

export type OutcomeUnknown = FindingOf<"OutcomeUnknown", { readonly podCount: number }, OutcomeUnknownShows>;
export type OutcomeUnknownShows =
  | { readonly what: "endLost"; readonly how: LostEnd }
  | { readonly what: "vanished" }
  | { readonly what: "gone"; readonly deletedBy?: Pick<Attribution, "actor" | "confidence" | "cause"> };

/**
 * Pods that ran and whose outcome is unknown. Absence is never treated as failure, and neither is a placeholder exit
 * code.
 */
export const findOutcomeUnknown: Find<OutcomeUnknown> = (context) => {
  const unknown = new PodSample();
  return {
    visit(pod) {
      if (outcomeOf(pod) !== "Unknown" || !hasRun(pod)) return;
      if (countedAs(ledgerOf(pod, context.rules)) !== "void") unknown.add(pod);
    },
    found() {
      if (unknown.count === 0) return [];
      const evidence = unknown.pods.flatMap((pod) => evidenceOf(pod, context));
      return [{ kind: "OutcomeUnknown", ...unknown.named, evidence }];
    },
  };
};

function evidenceOf(pod: PodRecord, { job, clusterContext }: FindingContext): readonly Evidence<OutcomeUnknownShows>[] {
  const [end, how] = [firstEnd(pod), lostEndOf(pod)];
  if (end !== undefined && how !== undefined) return [podEvidence(pod, end, { shows: { what: "endLost", how } })];
  const gone = pod.deleted ?? pod.vanished;
  if (gone === undefined) return [];
  if (gone.kind === "PodVanished") return [podEvidence(pod, gone, { shows: { what: "vanished" } })];
  const by = attributePodDeletion(pod, job, clusterContext);
  if (by === undefined) return [podEvidence(pod, gone, { shows: { what: "gone" } })];
  const { actor, confidence, cause } = by;
  return [podEvidence(pod, gone, { shows: { what: "gone", deletedBy: { actor, confidence, cause } } })];
}
