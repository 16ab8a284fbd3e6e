import { countedAs, ledgerOf } from "../../job/accounting/ledger.ts";
import type { Attribution } from "../../job/attribution/attribution.ts";
import { attributePodDeletion } from "../../job/attribution/pod-deletion.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, podEvidence } from "../../job/model/evidence.ts";
import { firstEnd, type LostEnd, lostEndOf, outcomeOf } from "../../job/model/outcome.ts";
import { hasRun } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count } from "../../job/text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { describeDeletionCause } from "../explain-deletion.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type OutcomeUnknown = FindingOf<"OutcomeUnknown", { readonly podCount: number }, OutcomeUnknownShows>;
export type OutcomeUnknownShows =
  | { readonly what: "endLost"; readonly how: LostEnd }
  | { readonly what: "vanished" }
  | { readonly what: "gone"; readonly deletedBy?: Pick<Attribution, "actor" | "confidence" | "cause"> };

/**
 * Pods that ran and whose outcome is unknown. Absence is never treated as failure, and neither is a placeholder exit
 * code.
 */
const find: Find<OutcomeUnknown> = (context) => {
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

/** What the page says about the kind. */
export const outcomeUnknownText: KindText = {
  title: "Outcome unknown",
  meaning: "Pods were deleted, and their end was not observed.",
};

export const outcomeUnknown: FindingRegistration<OutcomeUnknown> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => ["Check by the work's own traces whether it was done: Kubernetes cannot tell."],
  headline: {
    place: "unknown",
    clauses: ({ podCount }) => [{ full: `the outcome of ${count(podCount, "Pod")} is unknown` }],
  },
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

function messageOf(finding: OutcomeUnknown): string {
  const { podCount } = finding;
  const whose = podCount === 1 ? "its outcome is" : "their outcomes are";
  const seen = `${count(podCount, "Pod")} ran, and how ${podCount === 1 ? "it" : "they"} ended was not observed`;
  return `${seen} (${listPods(finding)}): ${whose} unknown, not failed.`;
}

const LOST_ENDS = {
  stillRunning: "was reported Failed while its containers still ran",
  runtimeDown: "was reported Failed with exit code 255 (Unknown): the container runtime or the node was down",
  containerLost: "was reported Failed with a placeholder: the kubelet had lost the container (ContainerStatusUnknown)",
  nodeShutdown: "was stopped by the shutdown of its node, and answered with exit code 0",
} as const satisfies Record<LostEnd, string>;

function describeShown(shows: OutcomeUnknownShows): string {
  switch (shows.what) {
    case "endLost":
      return LOST_ENDS[shows.how];
    case "vanished":
      return "was missing from a later list; how it ended was not observed";
    case "gone": {
      const by = shows.deletedBy;
      const deleted =
        by === undefined || by.actor === "unknown"
          ? ""
          : `, deleted ${byWhom(by)} (${describeDeletionCause(by.cause)})`;
      return `was gone${deleted}; how it ended was not observed`;
    }
  }
}
