import type { ParentCondition } from "../../job/model/fact.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { count, list } from "../../job/text/sentence.ts";
import { durationText } from "../../job/text/duration-text.ts";
import type { QueueAnswer } from "../answer-document.ts";
import type { Clause } from "../headline/clause.ts";

/** What is missing, by what is kept of Kueue's message; `undefined` if that says nothing. */
export function waitText(details: ParentCondition["details"]): string | undefined {
  const { missing, inactive, topology, resource, exceeds } = details ?? {};
  if (missing !== undefined) return `the ${missing} does not exist`;
  if (inactive !== undefined) return `the ${inactive} is inactive`;
  if (topology !== undefined) return `no place for its Pods in topology ${topology}`;
  if (resource === undefined) return undefined;
  return exceeds === undefined
    ? `not enough ${resource} is free`
    : `it requests more ${resource} than the queue can have`;
}

/** Since when it waits, and for what; `undefined` if it does not wait. */
export function openWait({ waits }: QueueAnswer): QueueAnswer["waits"][number] | undefined {
  const last = waits.at(-1);
  return last?.to === undefined ? last : undefined;
}

/** What a queue did, in the line of a run: who preempted it, and other evictions. */
export function evictionClauses(queue: QueueAnswer | undefined): readonly Clause[] {
  const { evictions = [] } = queue ?? {};
  const byReason = Map.groupBy(evictions, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => {
    const text = `${EVICTED.get(reason) ?? `evicted (${reason})`} ${timesText(all.length)}`;
    const by = preemptorsOf(all);
    return { full: by === "" ? text : `${text} by ${by}`, brief: text };
  });
}

const EVICTED: ReadonlyMap<string, string> = new Map([
  ["Preempted", "preempted"],
  ["PodsReadyTimeout", "evicted because its Pods were not ready in time"],
  ["AdmissionCheck", "evicted by an admission check"],
  ["ClusterQueueStopped", "evicted because the ClusterQueue was stopped"],
  ["LocalQueueStopped", "evicted because the LocalQueue was stopped"],
  ["NodeFailures", "evicted after a node had failed"],
  ["MaximumExecutionTimeExceeded", "evicted at its maximum execution time"],
  ["RequeuingLimitExceeded", "evicted at its requeuing limit"],
  ["Deactivated", "deactivated"],
  ["DeactivatedDueToRequeuingLimitExceeded", "deactivated at its requeuing limit"],
  ["DeactivatedDueToMaximumExecutionTimeExceeded", "deactivated at its maximum execution time"],
  ["DeactivatedDueToAdmissionCheck", "deactivated by an admission check"],
]);

function timesText(times: number): string {
  return times === 1 ? "once" : times === 2 ? "twice" : `${times} times`;
}

/** Readers without a grant see a uid instead of a name. The line leaves it out. */
function preemptorsOf(evictions: QueueAnswer["evictions"]): string {
  const names = evictions.flatMap(({ by }) => (by?.name === undefined ? [] : [`${by.kind} ${by.name}`]));
  return list([...new Set(names)], 2);
}

/** Whether Kueue has deactivated it: it stays in the queue until a user activates it. */
export function isDeactivated(queue: QueueAnswer | undefined): boolean {
  const last = queue?.evictions.at(-1);
  return queue !== undefined && openWait(queue) !== undefined && last?.reason.startsWith("Deactivated") === true;
}

/** What an admission still lacks, by the conditions of its Workload. */
export function missingText(workload: ParentRecord | undefined): string | undefined {
  return workload?.deleted === undefined ? lackingText(workload) : undefined;
}

function lackingText(workload: ParentRecord | undefined): string | undefined {
  const conditions = new Map(workload?.last?.conditions.map((one) => [one.type, one]));
  const is = (type: string, status: string): boolean => conditions.get(type)?.status === status;
  if (is("Finished", "True")) return undefined;
  if (is("BlockedOnPreemptionGates", "True")) return "its preemption of others is blocked by a gate";
  if (is("QuotaReserved", "True") && !is("Admitted", "True")) {
    return "its quota is reserved, an admission check is open";
  }
  if (is("WaitingForReplacementPods", "True")) return "waiting for Pods that replace failed ones";
  if (is("Admitted", "True") && is("PodsReady", "False")) return podsReadyText(conditions.get("PodsReady"));
  return undefined;
}

function podsReadyText(condition: ParentCondition | undefined): string {
  const since = condition?.lastTransitionAt;
  return `admitted, but not all Pods are ready${since === undefined ? "" : ` since ${formatInstant(since)}`}`;
}

/** Each wait, admission and eviction in a sentence, oldest first. */
export function queueSentences(queue: QueueAnswer, now: Instant): readonly string[] {
  const { name, clusterQueue, waits, evictions } = queue;
  const where = `queue ${name}${clusterQueue === undefined ? "" : ` (ClusterQueue ${clusterQueue})`}`;
  const waited = waits.flatMap((wait) => waitSentence(wait, { where, now }) ?? []);
  return [...waited, ...evictions.map(evictionSentence), admittedText(queue)].filter((text) => text !== undefined);
}

function waitSentence(
  { from, to, reason, message }: QueueAnswer["waits"][number],
  { where, now }: { readonly where: string; readonly now: Instant },
): string | undefined {
  const millis = (parseInstant(to) ?? now) - (parseInstant(from) ?? now);
  if (to !== undefined && millis < 1_000) return undefined;
  const why = message === undefined ? reason : `${reason}: ${message}`;
  const since =
    to === undefined
      ? `has waited in ${where} for ${durationText(millis)}, since`
      : `waited in ${where} for ${durationText(millis)} from`;
  return `it ${since} ${from} (${why})`;
}

function evictionSentence({ at, reason, by }: QueueAnswer["evictions"][number]): string {
  const what = EVICTED.get(reason) ?? `evicted (${reason})`;
  if (by === undefined) return `it was ${what} at ${at}`;
  const who =
    by.name === undefined ? `${by.kind} with uid ${by.uid ?? ""}` : `${by.kind} ${by.namespace ?? ""}/${by.name}`;
  return `it was ${what} at ${at} by ${who}`;
}

function admittedText({ admittedAt }: QueueAnswer): string | undefined {
  if (admittedAt.length < 2) return undefined;
  return `it was admitted ${count(admittedAt.length, "time")}: ${list(admittedAt)}`;
}
