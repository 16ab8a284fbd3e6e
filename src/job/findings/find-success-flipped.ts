import { podFactRef } from "../model/fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { compareOrder } from "../model/order.ts";
import { PodSample } from "./pod-sample.ts";
import { count } from "../../text/sentence.ts";

/** Pods that had succeeded and were called Failed later, as a kubelet that restarted may do. The success stays; the contradiction is shown. */
export const findSuccessFlipped: Find = () => {
  const flipped = new PodSample();
  return {
    look(pod) {
      const { succeeded, failed } = pod;
      if (succeeded !== undefined && failed !== undefined && compareOrder(succeeded, failed) < 0) flipped.add(pod);
    },
    found() {
      if (flipped.count === 0) return [];
      const evidence = flipped.pods.flatMap((pod) => [
        ...(pod.succeeded === undefined ? [] : [podFactRef(pod, pod.succeeded, "succeeded")]),
        ...(pod.failed === undefined ? [] : [podFactRef(pod, pod.failed, `was called Failed after it had succeeded`)]),
      ]);
      const names = flipped.list();
      const stays = flipped.count === 1 ? "it stays a success" : "they stay successes";
      const message = `${count(flipped.count, "Pod")} had succeeded and ${flipped.count === 1 ? "was" : "were"} called Failed later (${names}): ${stays}.`;
      return [{ kind: "SuccessFlipped", message, ...flipped.named, evidence }];
    },
  };
};
