import { type Evidence, podEvidence } from "../model/evidence.ts";
import { compareOrder } from "../model/order.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { PodSample } from "./pod-sample.ts";

export type SuccessFlipped = FindingOf<"SuccessFlipped", { readonly podCount: number }, SuccessFlippedShows>;
export type SuccessFlippedShows = { readonly what: "succeeded" | "failedAfterSuccess" };

/** Pods that succeeded and became Failed later, as can happen when a kubelet restarts. They stay successes. */
export const findSuccessFlipped: Find<SuccessFlipped> = () => {
  const flipped = new PodSample();
  return {
    visit(pod) {
      const { succeeded, failed } = pod;
      if (succeeded !== undefined && failed !== undefined && compareOrder(succeeded, failed) < 0) flipped.add(pod);
    },
    found() {
      if (flipped.count === 0) return [];
      return [{ kind: "SuccessFlipped", ...flipped.named, evidence: flipped.pods.flatMap(evidenceOf) }];
    },
  };
};

function evidenceOf(pod: PodRecord): readonly Evidence<SuccessFlippedShows>[] {
  const { succeeded, failed } = pod;
  return [
    ...(succeeded === undefined ? [] : [podEvidence(pod, succeeded, { shows: { what: "succeeded" } })]),
    ...(failed === undefined ? [] : [podEvidence(pod, failed, { shows: { what: "failedAfterSuccess" } })]),
  ];
}
