import type { Fact } from "./fact.ts";
import type { Instant } from "./instant.ts";

/**
 * When a fact happened, as the object itself dates it; where it does not, the latest instant it named when it was seen,
 * which is a lower bound. For people and for durations, never for order.
 */
export function instantOf(fact: Fact): Instant {
  switch (fact.kind) {
    case "JobCreated":
    case "PodCreated":
      return fact.createdAt;
    case "JobFinished":
      return fact.condition.lastTransitionAt ?? fact.at;
    case "JobDeletionRequested":
    case "PodDeletionRequested":
    case "RequestHinted":
      return fact.requestedAt;
    case "PodScheduled":
      return fact.scheduledAt ?? fact.at;
    case "PodStarted":
      return fact.startedAt ?? fact.at;
    case "ContainerEnded":
      return fact.finishedAt ?? fact.at;
    case "PodDisrupted":
      return fact.disruptedAt ?? fact.at;
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
      return fact.at;
  }
}
