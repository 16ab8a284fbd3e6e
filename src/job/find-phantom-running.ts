import { podFactRef, podName } from "./fact-ref.ts";
import type { Find } from "./finding-search.ts";
import { formatInstant } from "./instant.ts";
import { holdOf } from "./pod-hold.ts";
import type { PodRecord } from "./pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count } from "./sentence.ts";

/** Pods whose containers have all ended and whose phase is still Running: the Job controller waits for a status the kubelet never wrote. */
export const findPhantomRunning: Find = ({ spec, surroundings, now }) => {
  const phantoms = new PodSample();
  const endOf = (pod: PodRecord) => {
    const hold = holdOf(pod, spec.restartPolicy, surroundings, now);
    return hold?.hold === "containersEnded" ? hold : undefined;
  };
  const nameOf = (pod: PodRecord): string => {
    const end = endOf(pod);
    const since = end === undefined ? "" : ` since ${formatInstant(end.since)}`;
    return `${podName(pod)}${pod.scheduled === undefined ? "" : ` on ${pod.scheduled.node}`}${since}`;
  };
  return {
    look(pod) {
      if (endOf(pod) !== undefined) phantoms.add(pod);
    },
    found() {
      if (phantoms.count === 0) return [];
      const evidence = phantoms.pods.flatMap((pod) => {
        const hold = endOf(pod);
        if (hold === undefined) return [];
        const { container, exitCode } = hold.end;
        const ended = podFactRef(pod, hold.end, `container ${container} had ended with exit code ${exitCode}`);
        const { observed } = pod;
        const seen =
          observed === undefined
            ? []
            : [podFactRef(pod, observed, "was last seen in phase Running, with no container running")];
        return [ended, ...seen];
      });
      const are = phantoms.count === 1 ? "is" : "are";
      const message =
        `${count(phantoms.count, "Pod")} ${are} phantom-running: all containers have ended, the phase is still Running ` +
        `(${phantoms.list(nameOf)}); what Kubernetes will make of ${phantoms.count === 1 ? "it" : "them"} is unknown, not failed.`;
      return [
        {
          kind: "PhantomRunning",
          message,
          ...phantoms.since((pod) => endOf(pod)?.since),
          ...phantoms.named,
          evidence,
        },
      ];
    },
  };
};
