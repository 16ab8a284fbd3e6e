import type { ContainerEnded, PodTerminated } from "../model/fact.ts";
import { compareOrder } from "../model/order.ts";
import type { FailedPod } from "./pod-failure-policy.ts";
import { containerRun, type PodRecord } from "../model/pod-record.ts";

/**
 * A failed Pod for the pod failure policy, in its state when it was first observed as Failed. Later changes of its
 * container statuses do not change the verdict.
 */
export function failedPodOf(pod: PodRecord, failed: PodTerminated): FailedPod {
  return {
    namespace: pod.created?.namespace ?? "",
    name: pod.created?.name ?? "",
    ends: lastEnds(pod, failed),
    conditions: failed.conditions,
  };
}

/** A Pod that the controller counts as failed before it ends. Only its conditions matter, not its containers. */
export function disruptedPodOf(pod: PodRecord): FailedPod {
  return {
    namespace: pod.created?.namespace ?? "",
    name: pod.created?.name ?? "",
    ends: [],
    conditions: pod.disrupted === undefined ? [] : [{ type: "DisruptionTarget", status: "True" }],
  };
}

function lastEnds(pod: PodRecord, failed: PodTerminated): FailedPod["ends"] {
  const last = new Map<string, ContainerEnded>();
  for (const end of [...(pod.ended?.values() ?? [])].sort(byRun)) {
    if (compareOrder(end, failed) <= 0) last.set(end.container, end);
  }
  const running = new Set(failed.stillRunning);
  const positions = new Map(pod.created?.containers.map((name, at) => [name, at]));
  return [...last.values()]
    .filter(({ container }) => !running.has(container))
    .sort((a, b) => rank(a, positions) - rank(b, positions) || (a.container < b.container ? -1 : 1));
}

/** Orders the runs of a container. A placeholder (`ContainerStatusUnknown`) precedes the real end of the same run. */
function byRun(a: ContainerEnded, b: ContainerEnded): number {
  return a.restartCount - b.restartCount || (containerRun(a) > containerRun(b) ? -1 : 1);
}

/** App containers in the order of the Pod's spec, then init containers. */
function rank({ container, init }: ContainerEnded, positions: ReadonlyMap<string, number>): number {
  const afterAll = positions.size;
  return init === true ? afterAll + 1 : (positions.get(container) ?? afterAll);
}
