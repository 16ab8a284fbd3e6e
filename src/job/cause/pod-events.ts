import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
import type { EventHinted } from "../model/fact.ts";
import type { JobObject } from "../model/job-record.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The Events about a Pod. Hints are found by name, and names are reused: another uid means another Pod. */
export function podEvents(pod: PodRecord, { hints }: ClusterContext): readonly EventHinted[] {
  const { created } = pod;
  if (created === undefined) return [];
  const { namespace, name } = created;
  return eventsOf(hints.get(hintKey({ kind: "Pod", namespace, name })), pod.uid);
}

/** The Events about the Job object itself. */
export function jobEvents(job: JobObject, { hints }: ClusterContext): readonly EventHinted[] {
  const { created } = job;
  if (created === undefined) return [];
  const { namespace, name } = created;
  return eventsOf(hints.get(hintKey({ kind: "Job", namespace, name })), job.uid);
}

function eventsOf(hints: readonly { readonly kind: string }[] | undefined, uid: string): readonly EventHinted[] {
  return (hints ?? []).filter(isEvent).filter(({ target }) => target.uid === undefined || target.uid === uid);
}

function isEvent(hint: { readonly kind: string }): hint is EventHinted {
  return hint.kind === "EventHinted";
}
