import type { Fact, FactKind } from "./fact.ts";
import type { Instant } from "./instant.ts";

/**
 * When a fact happened: the instant that its object names for it, else the latest instant that the object names. For
 * people and durations, never for ordering.
 */
export function instantOf(fact: Fact): Instant {
  return datedAt(fact) ?? fact.at;
}

/** When a fact happened, if its object names the instant. Most objects name it in whole seconds, rounded down. */
export function datedAt(fact: Fact): Instant | undefined {
  return dateOf(fact.kind, fact);
}

function dateOf<Kind extends FactKind>(kind: Kind, fact: FactByKind[Kind]): Instant | undefined {
  return DATES[kind](fact);
}

type FactByKind = { readonly [F in Fact as F["kind"]]: F };

const undated = (): undefined => undefined;

const DATES: { readonly [Kind in FactKind]: (fact: FactByKind[Kind]) => Instant | undefined } = {
  JobCreated: ({ createdAt }) => createdAt,
  JobSpecified: undated,
  JobReported: undated,
  JobTracked: undated,
  JobUntracked: undated,
  JobFinished: ({ condition }) => condition.lastTransitionAt,
  JobDeletionRequested: ({ requestedAt }) => requestedAt,
  JobDeleted: undated,
  JobVanished: undated,
  PodCreated: ({ createdAt }) => createdAt,
  PodTracked: undated,
  PodUntracked: undated,
  PodScheduled: ({ scheduledAt }) => scheduledAt,
  PodReserved: undated,
  PodStarted: ({ startedAt }) => startedAt,
  PodObserved: undated,
  PodTerminated: undated,
  ContainerEnded: ({ finishedAt }) => finishedAt,
  PodDisrupted: ({ disruptedAt }) => disruptedAt,
  PodDeletionRequested: ({ requestedAt }) => requestedAt,
  PodReleased: undated,
  PodDeleted: undated,
  PodVanished: undated,
  ParentObserved: undated,
  ParentDeleted: undated,
  NodeObserved: ({ since }) => since,
  NodeDeleted: undated,
  CronJobObserved: undated,
  CronJobDeleted: undated,
  NamespaceObserved: undated,
  NamespaceDeleted: undated,
  EventHinted: ({ lastAt }) => lastAt,
  RequestHinted: ({ requestedAt }) => requestedAt,
  EvictionObserved: undated,
  GapRecorded: ({ from }) => from,
  ClusterObserved: undated,
};
