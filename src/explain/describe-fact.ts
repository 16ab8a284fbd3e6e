import { count } from "../job/text/sentence.ts";
import type {
  ContainerEnded,
  EvictionObserved,
  Fact,
  FactKind,
  JobSpecified,
  ParentObserved,
  PodObserved,
  PodReserved,
  PodTerminated,
} from "../job/model/fact.ts";
import type { ReportedStatus } from "../job/model/reported-status.ts";

/** A fact as a clause that has its object as subject: "was bound to node-a". */
export function describeFact<Kind extends FactKind>(fact: FactOf<Kind>): string {
  return DESCRIPTIONS[fact.kind](fact);
}

type FactOf<Kind extends FactKind> = { [K in Kind]: Extract<Fact, { readonly kind: K }> }[Kind];
type Descriptions = { readonly [Kind in FactKind]: (fact: FactOf<Kind>) => string };

const DESCRIPTIONS: Descriptions = {
  JobCreated: ({ owner }) => (owner === undefined ? "was created" : `was created by ${owner.kind} ${owner.name}`),
  JobSpecified: describeSpec,
  JobReported: ({ status }) => `was reported: ${describeStatus(status)}`,
  JobTracked: () => "has its Pods counted by finalizer",
  JobUntracked: () => "has only its existing Pods counted",
  JobFinished: ({ condition: { type, reason, message } }) => withReason(`was reported ${type}`, reason, message),
  JobDeletionRequested: () => "was marked for deletion",
  JobDeleted: () => "was deleted",
  JobVanished: () => "was missing from a later list",
  PodCreated: ({ index }) => (index === undefined ? "was created" : `was created for index ${index}`),
  PodTracked: () => "carries the tracking finalizer",
  PodUntracked: () => "has no tracking finalizer",
  PodScheduled: ({ node }) => `was bound to ${node}`,
  PodReserved: describeReservation,
  PodStarted: () => "was observed Running",
  PodObserved: describeObservation,
  PodTerminated: describeEnd,
  PodDeletionRequested: () => "was marked for deletion",
  PodDeleted: () => "was deleted",
  PodVanished: () => "was missing from a later list",
  ContainerEnded: describeContainerEnd,
  PodDisrupted: ({ reason, message }) => withReason("was about to be disrupted", reason, message),
  PodReleased: () => "lost its owner",
  ParentObserved: describeParent,
  ParentDeleted: () => "was deleted",
  NodeObserved: ({ ready, lifecycle = [] }) => {
    const types = lifecycle.filter(({ status }) => status === "True").map(({ type }) => type);
    return [`has Ready ${ready}`, ...types].join(", ");
  },
  CronJobObserved: ({ schedule }) => `was observed with schedule ${schedule}`,
  CronJobDeleted: () => "was deleted",
  NamespaceObserved: ({ marks = {} }) => `was observed with ${count(Object.keys(marks).length, "key")} for Outlive`,
  NamespaceDeleted: () => "was deleted",
  NodeDeleted: () => "was deleted",
  EventHinted: ({ reason, message }) => withReason("had an Event", reason, message),
  RequestHinted: ({ verb, subresource, user, code }) => {
    const request = subresource === undefined ? verb : `${verb} ${subresource}`;
    return `got ${request} from ${user} (${code})`;
  },
  EvictionObserved: describeEviction,
  GapRecorded: ({ reason }) => `was not watched: ${reason}`,
  ClusterObserved: () => "sent a heartbeat",
};

function describeEviction({ of, name, requesters, deleted }: EvictionObserved): string {
  const intents = requesters.map(({ name: requester, intent }) => `${requester}: ${intent}`);
  return `was the target of ${of} ${name}${deleted === true ? ", deleted" : ""} (${intents.join(", ")})`;
}

function describeReservation({ requests }: PodReserved): string {
  const reserved = Object.entries(requests).map(([resource, quantity]) => `${resource} ${quantity}`);
  return reserved.length === 0 ? "reserved no resources" : `reserved ${reserved.join(", ")}`;
}

/** Its conditions that are True, which say what it does. */
function describeParent({ conditions }: ParentObserved): string {
  const types = conditions.filter(({ status }) => status === "True").map(({ type }) => type);
  return types.length === 0 ? "was observed" : `was observed with ${types.join(", ")}`;
}

function describeSpec({ spec, generation }: JobSpecified): string {
  const wanted = spec.completions === undefined ? "a work queue" : count(spec.completions, "completion");
  return (
    `has the spec: ${wanted}, parallelism ${spec.parallelism}, backoffLimit ` +
    `${spec.backoffLimit}${spec.suspend ? ", suspended" : ""} (generation ${generation})`
  );
}

function describeStatus(status: ReportedStatus): string {
  const counters = [
    ["active", status.active],
    ["ready", status.ready],
    ["terminating", status.terminating],
    ["succeeded", status.succeeded],
    ["failed", status.failed],
  ].flatMap(([name, number]) => (number === undefined || number === 0 ? [] : [`${name} ${number}`]));
  const conditions = status.conditions.filter((condition) => condition.status === "True").map(({ type }) => type);
  return [...counters, ...conditions].join(", ") || "nothing yet";
}

function describeObservation(fact: PodObserved): string {
  const phase = fact.phase === "" ? "without a phase" : fact.phase;
  const restarts = fact.restarts === 0 ? "" : `, ${count(fact.restarts, "restart")}`;
  const waiting = fact.waiting === undefined ? "" : `, ${fact.waiting.container} waits: ${fact.waiting.reason}`;
  return `was ${phase}${fact.ready ? ", ready" : ""}${restarts}${waiting}${healthText(fact)}`;
}

function describeEnd(fact: PodTerminated): string {
  const { phase, reason, message } = fact;
  return withReason(phase === "Succeeded" ? "succeeded" : "failed", reason, message) + healthText(fact);
}

function healthText({ unhealthy = [] }: Pick<PodObserved, "unhealthy">): string {
  return unhealthy.map(({ resource, device }) => `, device ${device} (${resource}) is Unhealthy`).join("");
}

function describeContainerEnd({ container, exitCode, signal, reason, message, restartCount }: ContainerEnded): string {
  const how = signal === undefined ? `exit code ${exitCode}` : `exit code ${exitCode}, signal ${signal}`;
  const run = restartCount === 0 ? "" : ` in run ${restartCount + 1}`;
  return withReason(`ended container ${container} with ${how}${run}`, reason, message);
}

function withReason(clause: string, reason: string | undefined, message: string | undefined): string {
  const why = [reason, message].filter((text) => text !== undefined && text !== "").join(": ");
  return why === "" ? clause : `${clause} (${why})`;
}
