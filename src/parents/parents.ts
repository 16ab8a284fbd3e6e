import type { Fact, ParentFact } from "../job/model/fact.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { cronJob, type CronJobParts } from "./cron-job/cron-job.ts";
import type { FactFields, ParentKind, ParentLink, ParentReference } from "./parent-kind.ts";

/** The kinds of parents, by the kind of the object. */
interface PartsOf {
  readonly CronJob: CronJobParts;
}
export type Parent = keyof PartsOf;
export type ParentResource = PartsOf[Parent]["resource"];

export const PARENTS: { readonly [Of in Parent]: ParentKind<PartsOf[Of]> } = {
  CronJob: cronJob,
};
export const PARENT_KINDS: readonly Parent[] = ["CronJob"];
export const PARENT_OF_RESOURCE: { readonly [Resource in ParentResource]: Parent } = { cronjobs: "CronJob" };

/** The fields of the facts about parents. */
export const PARENT_FACTS: { readonly [F in ParentFact as F["kind"]]: FactFields<F> } = {
  ...PARENTS.CronJob.facts,
};

const BY_FACT: ReadonlyMap<string, Parent> = new Map(
  PARENT_KINDS.flatMap((of) => Object.keys(PARENTS[of].facts).map((kind) => [kind, of] as const)),
);

export function isParentFact(fact: Fact): fact is ParentFact {
  return BY_FACT.has(fact.kind);
}

/** The parents that a Job names, of all kinds. */
export function parentsOf(job: JobObject): readonly ParentLink[] {
  return PARENT_KINDS.flatMap((kind) => PARENTS[kind].recognise(job) ?? []);
}

/** What a fact about a parent says. */
export interface ParentFactText {
  readonly of: Parent;
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

function aboutKind<Of extends Parent>(of: Of, fact: Fact): (ParentFactText & { readonly of: Of }) | undefined {
  const { isFact, isDeletion, nameOf, describe }: ParentKind<PartsOf[Of]> = PARENTS[of];
  if (!isFact(fact)) return undefined;
  return { of, object: nameOf(fact), isDeletion: isDeletion(fact), text: describe(fact) };
}
