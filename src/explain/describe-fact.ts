import { count } from "../text/sentence.ts";
import type { ContainerEnded, Fact, JobSpecified, PodObserved, PodTerminated } from "../job/model/fact.ts";
import type { ReportedStatus } from "../job/model/reported-status.ts";

/** A fact as a clause that has its object as subject: "was bound to node-a". */
export function describeFact(fact: Fact): string {
  switch (fact.kind) {
    case "JobCreated":
      return fact.owner === undefined ? "was created" : `was created by ${fact.owner.kind} ${fact.owner.name}`;
    case "JobSpecified":
      return describeSpec(fact);
    case "JobReported":
      return `was reported: ${describeStatus(fact.status)}`;
    case "JobTracked":
      return "is counted by finalizer";
    case "JobUntracked":
      return "is counted by the Pods that exist";
    case "JobFinished":
      return withReason(`was reported ${fact.condition.type}`, fact.condition.reason, fact.condition.message);
    case "JobDeletionRequested":
    case "PodDeletionRequested":
      return "was asked to go";
    case "JobDeleted":
    case "PodDeleted":
    case "NodeDeleted":
    case "CronJobDeleted":
      return "is gone";
    case "JobVanished":
    case "PodVanished":
      return "was no longer there when the exporter listed anew";
    case "PodCreated":
      return fact.index === undefined ? "was created" : `was created for index ${fact.index}`;
    case "PodTracked":
      return "carries the tracking finalizer";
    case "PodUntracked":
      return "has no tracking finalizer";
    case "PodScheduled":
      return `was bound to ${fact.node}`;
    case "PodStarted":
      return "was seen Running";
    case "PodObserved":
      return describeSight(fact);
    case "PodTerminated":
      return describeEnd(fact);
    case "ContainerEnded":
      return describeContainerEnd(fact);
    case "PodDisrupted":
      return withReason("was about to be taken away", fact.reason, fact.message);
    case "PodReleased":
      return "lost its owner";
    case "NodeObserved":
      return `has Ready ${fact.ready}`;
    case "CronJobObserved":
      return `was seen with schedule ${fact.schedule}`;
    case "EventHinted":
      return withReason("had an event", fact.reason, fact.message);
    case "RequestHinted":
      return (
        `got ${[fact.verb, fact.subresource].filter((word) => word !== undefined).join(" ")} from ` +
        `${fact.user} (${fact.code})`
      );
    case "GapRecorded":
      return `was not watched: ${fact.reason}`;
    case "ClusterObserved":
      return "was heard of";
  }
}

function describeSpec({ spec, generation }: JobSpecified): string {
  const wanted = spec.completions === undefined ? "a work queue" : count(spec.completions, "completion");
  return (
    `asked for ${wanted}, parallelism ${spec.parallelism}, backoffLimit ` +
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

function describeSight(fact: PodObserved): string {
  const phase = fact.phase === "" ? "without a phase" : fact.phase;
  const restarts = fact.restarts === 0 ? "" : `, ${count(fact.restarts, "restart")}`;
  const waiting = fact.waiting === undefined ? "" : `, ${fact.waiting.container} waits: ${fact.waiting.reason}`;
  return `was ${phase}${fact.ready ? ", ready" : ""}${restarts}${waiting}`;
}

function describeEnd({ phase, reason, message }: PodTerminated): string {
  return withReason(phase === "Succeeded" ? "succeeded" : "failed", reason, message);
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
