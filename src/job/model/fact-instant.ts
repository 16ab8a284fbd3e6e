import type { Fact } from "./fact.ts";
import type { Instant } from "./instant.ts";

/** When a fact happened: as its object dates it, or else the latest instant that the object named. For people and durations, never for order. */
export function instantOf(fact: Fact): Instant {
  return datedAt(fact) ?? fact.at;
}

/** When a fact happened, if its object dates it; most objects do so in whole seconds, rounded down. */
export function datedAt(fact: Fact): Instant | undefined {
  switch (fact.kind) {
    case "JobCreated":
    case "PodCreated":
      return fact.createdAt;
    case "JobFinished":
      return fact.condition.lastTransitionAt;
    case "JobDeletionRequested":
    case "PodDeletionRequested":
    case "RequestHinted":
      return fact.requestedAt;
    case "PodScheduled":
      return fact.scheduledAt;
    case "PodStarted":
      return fact.startedAt;
    case "ContainerEnded":
      return fact.finishedAt;
    case "PodDisrupted":
      return fact.disruptedAt;
    case "NodeObserved":
      return fact.since;
    case "EventHinted":
      return fact.lastAt;
    case "GapRecorded":
      return fact.from;
    case "JobSpecified":
    case "JobReported":
    case "JobTracked":
    case "JobUntracked":
    case "JobDeleted":
    case "JobVanished":
    case "PodTracked":
    case "PodUntracked":
    case "PodObserved":
    case "PodTerminated":
    case "PodReleased":
    case "PodDeleted":
    case "PodVanished":
    case "NodeDeleted":
    case "CronJobObserved":
    case "CronJobDeleted":
    case "ClusterObserved":
      return undefined;
  }
}
