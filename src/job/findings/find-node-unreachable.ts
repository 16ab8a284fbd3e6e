import { clusterFactRef, podFactRef, podName } from "../model/fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { formatInstant } from "../model/instant.ts";
import { type Silence, standText } from "../model/node-readiness.ts";
import { holdOf } from "./pod-hold.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count } from "../../text/sentence.ts";

/** Pods that have not ended, as far as anybody heard, on a node that is not ready or gone: what they do there cannot be known. */
export const findNodeUnreachable: Find = ({ spec, clusterContext, now }) => {
  const silent = new PodSample();
  const silenceOf = (pod: PodRecord): Silence | undefined => {
    const hold = holdOf(pod, spec.restartPolicy, clusterContext, now);
    return hold?.hold === "nodeSilent" ? hold.silence : undefined;
  };
  return {
    look(pod) {
      if (silenceOf(pod) !== undefined) silent.add(pod);
    },
    found() {
      if (silent.count === 0) return [];
      const evidence = silent.pods.flatMap((pod) => {
        const silence = silenceOf(pod);
        const { observed } = pod;
        return [
          ...(observed === undefined ? [] : [podFactRef(pod, observed, `was last seen in phase ${observed.phase}`)]),
          ...(silence === undefined
            ? []
            : [clusterFactRef(silence.fact, `node/${silence.fact.node}`, stateOf(silence))]),
        ];
      });
      const where = silent.list((pod) => {
        const silence = silenceOf(pod);
        return silence === undefined
          ? podName(pod)
          : `${podName(pod)}, whose node ${silence.fact.node} ${isSince(silence)}`;
      });
      const many = silent.count > 1;
      const message =
        `${count(silent.count, "Pod")} ${many ? "are" : "is"} on a node that is not ready (${where}); ` +
        `the outcome of ${many ? "these" : "it"} is unknown, not failed.`;
      return [
        {
          kind: "NodeUnreachable",
          message,
          ...silent.since((pod) => silenceOf(pod)?.since),
          ...silent.named,
          evidence,
        },
      ];
    },
  };
};

function stateOf(silence: Silence): string {
  return silence.silence === "gone" ? "was gone" : `became ${standText(silence.fact)}`;
}

function isSince(silence: Silence): string {
  const state = silence.silence === "gone" ? "is gone" : `is ${standText(silence.fact)}`;
  return `${state} since ${formatInstant(silence.since)}`;
}
