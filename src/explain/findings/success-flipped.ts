import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, podEvidence } from "../../job/model/evidence.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count } from "../../job/text/sentence.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type SuccessFlipped = FindingOf<"SuccessFlipped", { readonly podCount: number }, SuccessFlippedShows>;
export type SuccessFlippedShows = { readonly what: "succeeded" | "failedAfterSuccess" };

/** Pods that succeeded and became Failed later, as can happen when a kubelet restarts. They stay successes. */
const find: Find<SuccessFlipped> = () => {
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

/** What the page says about the kind. */
export const successFlippedText: KindText = {
  title: "Success flipped",
  meaning: "A Pod changed from Succeeded to Failed.",
};

export const successFlipped: FindingRegistration<SuccessFlipped> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, ({ what }) => SHOWN[what]),
  remedies: () => [
    "Look at the kubelet of the Pod's node: it rewrote a Pod that had ended, as some do when they restart.",
  ],
  headline: {
    place: "doubtful",
    clauses: ({ podCount }) => [{ full: `${count(podCount, "Pod")} became Failed after succeeding` }],
  },
};

function evidenceOf(pod: PodRecord): readonly Evidence<SuccessFlippedShows>[] {
  const { succeeded, failed } = pod;
  return [
    ...(succeeded === undefined ? [] : [podEvidence(pod, succeeded, { shows: { what: "succeeded" } })]),
    ...(failed === undefined ? [] : [podEvidence(pod, failed, { shows: { what: "failedAfterSuccess" } })]),
  ];
}

function messageOf(finding: SuccessFlipped): string {
  const { podCount } = finding;
  const one = podCount === 1;
  const stays = one ? "it stays a success" : "they stay successes";
  return (
    `${count(podCount, "Pod")} had succeeded and ${one ? "was" : "were"} reported Failed later ` +
    `(${listPods(finding)}): ${stays}.`
  );
}

const SHOWN: Readonly<Record<SuccessFlippedShows["what"], string>> = {
  succeeded: "succeeded",
  failedAfterSuccess: "was reported Failed after it had succeeded",
};
