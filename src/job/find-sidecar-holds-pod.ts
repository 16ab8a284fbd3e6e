import { podFactRef, podName } from "./fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { holdOf, type Hold } from "./pod-hold.ts";
import type { PodRecord } from "./pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count, list } from "./sentence.ts";

/** Pods whose work is done and that another container keeps running: not phantom, the Pod's phase is right. */
export const findSidecarHoldsPod: Find = ({ spec, surroundings, now }) => {
  const heldPods = new PodSample();
  const holdBySidecar = (pod: PodRecord): Extract<Hold, { hold: "sidecar" }> | undefined => {
    const hold = holdOf(pod, spec.restartPolicy, surroundings, now);
    return hold?.hold === "sidecar" ? hold : undefined;
  };
  return {
    look(pod) {
      if (holdBySidecar(pod) !== undefined) heldPods.add(pod);
    },
    found() {
      if (heldPods.count === 0) return [];
      const evidence = heldPods.pods.flatMap((pod) => {
        const hold = holdBySidecar(pod);
        if (hold === undefined) return [];
        return [
          podFactRef(pod, hold.end, `container ${hold.end.container} had ended with 0; ${list(hold.running)} ran on`),
        ];
      });
      const names = heldPods.list((pod) => `${podName(pod)}: ${list(holdBySidecar(pod)?.running ?? [])}`);
      const message =
        `${count(heldPods.count, "Pod")} had done the work and ${heldPods.count === 1 ? "is" : "are"} kept running by another container ` +
        `(${names}).`;
      return [
        {
          kind: "SidecarHoldsPod",
          message,
          ...heldPods.since((pod) => holdBySidecar(pod)?.since),
          ...heldPods.named,
          evidence,
        },
      ];
    },
  };
};
