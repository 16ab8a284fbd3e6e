import type { ContainerEnded, PodTerminated } from "../model/fact.ts";
import { compareOrder } from "../model/order.ts";
import type { FailedPod } from "./pod-failure-policy.ts";
import { containerRun, type PodRecord } from "../model/pod-record.ts";

/**
 * A failed Pod as a pod failure policy sees it: as it stood when it was first seen Failed. What its containers are said
 * to have done later changes no verdict.
 */
export function failedPodOf(pod: PodRecord, failed: PodTerminated): FailedPod {
  return {
    namespace: pod.created?.namespace ?? "",
    name: pod.created?.name ?? "",
    ends: lastEnds(pod, failed),
    conditions: failed.conditions,
  };
}

/**
 * A Pod that the controller takes for failed while it has not ended: with the condition it had, and no container looked
 * at.
 */
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
  const place = new Map(pod.created?.containers.map((name, at) => [name, at]));
  return [...last.values()]
    .filter(({ container }) => !running.has(container))
    .sort((a, b) => rank(a, place) - rank(b, place) || (a.container < b.container ? -1 : 1));
}

/** Runs of a container in order; a placeholder (`ContainerStatusUnknown`) before the true end of the same run. */
function byRun(a: ContainerEnded, b: ContainerEnded): number {
  return a.restartCount - b.restartCount || (containerRun(a) > containerRun(b) ? -1 : 1);
}

/** App containers in the order of the Pod's spec, then init containers. */
function rank({ container, init }: ContainerEnded, place: ReadonlyMap<string, number>): number {
  const afterAll = place.size;
  return init === true ? afterAll + 1 : (place.get(container) ?? afterAll);
}
