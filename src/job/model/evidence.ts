import type { ClusterFact, Fact, JobObjectFact, PodFact } from "./fact.ts";
import { instantOf } from "./fact-instant.ts";
import type { Instant } from "./instant.ts";
import type { JobObject } from "./job-record.ts";
import type { ResourceVersion } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

/** The object that a fact is about. */
export interface ObjectRef {
  /** In lower case: "job". */
  readonly kind: string;
  readonly name: string;
}

export interface PodRef {
  readonly uid: string;
  /** The Pod's uid if its name is not known. */
  readonly name: string;
  readonly node?: string;
}

/** A reference to a fact that supports a conclusion, and what the fact shows there. */
export interface Evidence<Shows> {
  readonly fact: Fact["kind"];
  readonly at: Instant;
  readonly resourceVersion: ResourceVersion;
  readonly object: ObjectRef;
  readonly shows: Shows;
}

/** A Pod's fact as evidence. `at` replaces the fact's own instant if another source dates it better. */
export function podEvidence<const Shows>(
  pod: PodRecord,
  fact: PodFact,
  { shows, at = instantOf(fact) }: { readonly shows: Shows; readonly at?: Instant | undefined },
): Evidence<Shows> {
  return { ...referenceTo(fact), at, object: { kind: "pod", name: podName(pod) }, shows };
}

/** A fact about the Job object itself as evidence. */
export function jobEvidence<const Shows>(job: JobObject, fact: JobObjectFact, shows: Shows): Evidence<Shows> {
  return { ...referenceTo(fact), object: { kind: "job", name: job.created?.name ?? job.uid }, shows };
}

/** A fact about a Node or CronJob, or a hint, as evidence. */
export function clusterEvidence<const Shows>(fact: ClusterFact, object: ObjectRef, shows: Shows): Evidence<Shows> {
  return { ...referenceTo(fact), object, shows };
}

/** The Pod's name; its uid if its creation was not observed. */
export function podName(pod: PodRecord): string {
  return pod.created?.name ?? pod.uid;
}

export function podRef(pod: PodRecord): PodRef {
  const node = pod.scheduled?.node;
  return { uid: pod.uid, name: podName(pod), ...(node !== undefined && { node }) };
}

function referenceTo(fact: Fact): Pick<Evidence<never>, "fact" | "at" | "resourceVersion"> {
  return { fact: fact.kind, at: instantOf(fact), resourceVersion: fact.resourceVersion };
}
