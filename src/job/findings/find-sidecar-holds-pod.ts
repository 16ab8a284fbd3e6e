import type { FactRef } from "../../explain/answer-document.ts";
import { podFactRef, podName } from "../model/fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { holdOf, type Hold } from "./pod-hold.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count, list } from "../../text/sentence.ts";

type SidecarHold = Extract<Hold, { hold: "sidecar" }>;

/** Pods whose work is done and that another container keeps running, or kept until they were taken away: not phantom, the Pod's phase is right. */
export const findSidecarHoldsPod: Find = ({ spec, clusterContext, now }) => {
  const heldPods = new PodSample();
  const still = new PodSample();
  let hasFailed = false;
  const holdBySidecar = (pod: PodRecord): SidecarHold | undefined => {
    const hold = holdOf(pod, spec.restartPolicy, clusterContext, now);
    return hold?.hold === "sidecar" ? hold : undefined;
  };
  return {
    look(pod) {
      const hold = holdBySidecar(pod);
      if (hold === undefined) return;
      heldPods.add(pod);
      if (hold.until === undefined) still.add(pod);
      if (hold.end.exitCode !== 0) hasFailed = true;
    },
    found() {
      if (heldPods.count === 0) return [];
      const done = hasFailed ? "had come to the end of the work" : "had done the work";
      const kept = keptText(heldPods.count, still.count);
      const names = heldPods.list((pod) => `${podName(pod)}: ${list(holdBySidecar(pod)?.running ?? [])}`);
      return [
        {
          kind: "SidecarHoldsPod",
          message: `${count(heldPods.count, "Pod")} ${done} and ${kept} (${names}).`,
          ...heldPods.since((pod) => holdBySidecar(pod)?.since),
          ...heldPods.named,
          evidence: heldPods.pods.flatMap((pod) => refs(pod, holdBySidecar(pod))),
        },
      ];
    },
  };
};

function keptText(held: number, still: number): string {
  const kept = "kept running by another container";
  if (still === held) return `${held === 1 ? "is" : "are"} ${kept}`;
  if (still > 0) return `were ${kept}, ${still} of them still`;
  return held === 1 ? `was ${kept} until it was deleted` : `were ${kept} until they were deleted`;
}

function refs(pod: PodRecord, hold: SidecarHold | undefined): readonly FactRef[] {
  if (hold === undefined) return [];
  const { end, running, until } = hold;
  const ended = `container ${end.container} had ended with ${end.exitCode}; ${list(running)} ran on`;
  const asked =
    until === undefined || pod.deletionRequested === undefined
      ? []
      : [podFactRef(pod, pod.deletionRequested, "was asked to go, and its containers were stopped for that")];
  return [podFactRef(pod, end, ended), ...asked];
}
