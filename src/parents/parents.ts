import type { Fact, ParentFact } from "../job/model/fact.ts";
import { type CronJobParts, watchedCronJob } from "./cron-job/cron-job.ts";
import type { FactFields, ParentReference, WatchedParent } from "./parent-kind.ts";

/** The kinds that are watched, by the kind of the object. */
interface PartsOf {
  readonly CronJob: CronJobParts;
}
export type WatchedKind = keyof PartsOf;
export type ParentResource = PartsOf[WatchedKind]["resource"];

export const WATCHED_PARENTS: { readonly [Of in WatchedKind]: WatchedParent<PartsOf[Of]> } = {
  CronJob: watchedCronJob,
};
export const WATCHED_KINDS: readonly WatchedKind[] = ["CronJob"];
export const KIND_OF_RESOURCE: { readonly [Resource in ParentResource]: WatchedKind } = { cronjobs: "CronJob" };

/** The fields of the facts about parents. */
export const PARENT_FACTS: { readonly [F in ParentFact as F["kind"]]: FactFields<F> } = {
  ...WATCHED_PARENTS.CronJob.facts,
};

const BY_FACT: ReadonlyMap<string, WatchedKind> = new Map(
  WATCHED_KINDS.flatMap((of) => Object.keys(WATCHED_PARENTS[of].facts).map((kind) => [kind, of] as const)),
);

export function isParentFact(fact: Fact): fact is ParentFact {
  return BY_FACT.has(fact.kind);
}

/** What a fact about a parent says. */
export interface ParentFactText {
  readonly of: WatchedKind;
  readonly object: ParentReference;
  readonly isDeletion: boolean;
  /** A clause that has the object as subject. */
  readonly text: string;
}

/** What a fact says about a parent; `undefined` if it is about something else. */
export function aboutParent(fact: Fact): ParentFactText | undefined {
  const of = BY_FACT.get(fact.kind);
  return of === undefined ? undefined : aboutKind(of, fact);
}

function aboutKind<Of extends WatchedKind>(of: Of, fact: Fact): (ParentFactText & { readonly of: Of }) | undefined {
  const { isFact, isDeletion, nameOf, describe }: WatchedParent<PartsOf[Of]> = WATCHED_PARENTS[of];
  if (!isFact(fact)) return undefined;
  return { of, object: nameOf(fact), isDeletion: isDeletion(fact), text: describe(fact) };
}
