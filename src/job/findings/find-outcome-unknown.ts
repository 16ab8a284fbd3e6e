import { byWhom } from "../../explain/attribution-text.ts";
import { podFactRef } from "../model/fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import { outcomeOf } from "../model/outcome.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { hasRun } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count } from "../../text/sentence.ts";

/** Pods that ran and went without anybody seeing how they ended. Absence is never failure. */
export const findOutcomeUnknown: Find = ({ job, rules, clusterContext }) => {
  const unknown = new PodSample();
  const evidenceOf = (pod: PodRecord) => {
    const gone = pod.deleted ?? pod.vanished;
    if (gone === undefined) return [];
    const by = attributePodDeletion(pod, job, clusterContext);
    const who = by === undefined || by.actor === "unknown" ? "" : `, deleted ${byWhom(by)} (${by.cause})`;
    const how = gone.kind === "PodVanished" ? "was missing from a later list" : `was gone${who}`;
    return [podFactRef(pod, gone, `${how}; how it ended was not seen`)];
  };
  return {
    look(pod) {
      if (outcomeOf(pod) !== "Unknown" || !hasRun(pod)) return;
      if (countedAs(ledgerOf(pod, rules)) !== "void") unknown.add(pod);
    },
    found() {
      if (unknown.count === 0) return [];
      const names = unknown.list();
      const went = unknown.count === 1 ? "its outcome is" : "their outcomes are";
      const message = `${count(unknown.count, "Pod")} ran and went before an end was seen (${names}): ${went} unknown, not failed.`;
      return [{ kind: "OutcomeUnknown", message, ...unknown.named, evidence: unknown.pods.flatMap(evidenceOf) }];
    },
  };
};
