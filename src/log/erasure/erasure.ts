import type { ClusterFact, Fact, HintTarget, JobFact, RunFact } from "../../job/model/fact.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { isJobFact, isRunFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { NamedJob } from "../../ports/erasing/erasable-views.ts";
import type { ErasureScope } from "./erasure-record.ts";
import { saltedHash } from "./salted-names.ts";

/** Facts of one cluster, sealed or logged together. */
export interface FactsOfCluster {
  readonly cluster: string;
  readonly facts: readonly Fact[];
}

/**
 * Decides what belongs to an erasure; no other code does. Names are compared as salted hashes, so that a stored erasure
 * recognizes its data without containing it. A Job belongs to it by its uid, permanently: later facts about it are
 * erased too. Uids are learned from facts that name the Job, its namespace or its cluster, if the Job was created
 * before the erasure. The same is true of the objects that Jobs belong to, such as a JobSet.
 */
export class Erasure {
  readonly scope: ErasureScope;
  readonly #known: Set<string>;

  constructor(scope: ErasureScope, known: Iterable<string> = []) {
    this.scope = scope;
    this.#known = new Set(known);
  }

  /** The salted hashes of uids and Pods that were learned. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  isErasedJob(cluster: string, uid: string): boolean {
    return cluster === this.scope.cluster && this.#known.has(this.#hash("uid", uid));
  }

  /** Whether a namespace itself is erased, with everything in it. */
  isErasedNamespace(cluster: string, namespace: string): boolean {
    const { level } = this.scope;
    return cluster === this.scope.cluster && (level === "cluster" || (level === "namespace" && this.isIn(namespace)));
  }

  /** Whether a namespace is the erased one, or the one of the erased Job. */
  isIn(namespace: string): boolean {
    return this.scope.namespace === this.#hash("namespace", namespace);
  }

  /** Whether the erasure is of the Jobs of this name. */
  isNamed(namespace: string, name: string): boolean {
    return this.scope.name !== undefined && this.scope.name === this.#hash("job", namespace, name);
  }

  /**
   * Learns the uids of erased Jobs, and the names of their Pods, from facts that name them. Returns the hashes that are
   * new.
   */
  learn({ cluster, facts }: FactsOfCluster): readonly string[] {
    if (cluster !== this.scope.cluster) return [];
    const before = this.#known.size;
    for (const fact of facts) if (isJobFact(fact) && this.#namesErased(fact)) this.#add("uid", fact.jobUid);
    for (const fact of facts) if (isRunFact(fact) && this.#isOfErasedRun(fact)) this.#add("uid", fact.uid);
    for (const fact of facts) this.#learnPod(cluster, fact);
    return [...this.#known].slice(before);
  }

  /** Learns a Job that a row names. */
  learnJob({ namespace, name, uid, createdAt }: NamedJob): void {
    if (createdAt <= this.scope.at && this.#coversJob(namespace, name)) this.#add("uid", uid);
  }

  /** Whether a fact is erased. Call {@link learn} first, with all facts that came together. */
  isErased(cluster: string, fact: Fact): boolean {
    if (cluster !== this.scope.cluster) return false;
    if (isRunFact(fact)) return this.#isErasedOfRun(fact);
    if (!isJobFact(fact)) return this.#isErasedAround(cluster, fact);
    return this.#known.has(this.#hash("uid", fact.jobUid));
  }

  #isErasedOfRun(fact: RunFact): boolean {
    const isKnown = [fact.uid, fact.runUid].some((uid) => this.#known.has(this.#hash("uid", uid)));
    return isKnown || this.#isOfErasedRun(fact) || (this.#isBefore(fact) && this.#mentionsJob(fact));
  }

  /** A fact about an object in what is erased, which existed before the erasure. */
  #isOfErasedRun(fact: RunFact): boolean {
    const existedAt = fact.kind === "ParentObserved" ? fact.createdAt : fact.at;
    return existedAt <= this.scope.at && this.#coversNamespace(fact.namespace);
  }

  /** A condition may name a Job of the run, such as the first one that failed. */
  #mentionsJob(fact: RunFact): boolean {
    if (fact.kind !== "ParentObserved" || this.scope.isOfUid === true) return false;
    const details = fact.conditions.flatMap((condition) => Object.values(condition.details ?? {}));
    return details.some((name) => this.isNamed(fact.namespace, name));
  }

  #isErasedAround(cluster: string, fact: ClusterFact): boolean {
    if ("target" in fact) return this.#isErasedTarget(fact.target, instantOf(fact));
    // A heartbeat identifies the cluster, and the cluster's name is not erased.
    if (fact.kind === "ClusterObserved" || !this.#isBefore(fact)) return false;
    return "namespace" in fact ? this.isErasedNamespace(cluster, fact.namespace) : this.scope.level === "cluster";
  }

  #isBefore({ at }: Fact): boolean {
    return at <= this.scope.at;
  }

  /** Learned Jobs and Pods stay erased. Another object with the same name may be newer than the erasure. */
  #isErasedTarget({ kind, namespace, name, uid }: HintTarget, at: Instant): boolean {
    if (kind === "Pod" && this.#known.has(this.#hash("pod", namespace, name))) return true;
    if (kind === "Job" && uid !== undefined && this.scope.level === "job") {
      return this.#known.has(this.#hash("uid", uid));
    }
    const isNamed = this.#coversNamespace(namespace) || (kind === "Job" && this.isNamed(namespace, name));
    return isNamed && at <= this.scope.at;
  }

  #namesErased(fact: JobFact): boolean {
    // Also erases Jobs of which only later facts are left: they existed before the cluster was erased.
    if (this.scope.level === "cluster" && fact.kind !== "JobCreated" && this.#isBefore(fact)) return true;
    if (fact.kind === "JobCreated") {
      return fact.createdAt <= this.scope.at && this.#coversJob(fact.namespace, fact.name);
    }
    // A Pod fact has the namespace of the Pod's Job, but not the Job's name.
    return fact.kind === "PodCreated" && fact.createdAt <= this.scope.at && this.#coversNamespace(fact.namespace);
  }

  #coversJob(namespace: string, name: string): boolean {
    if (this.scope.level === "job") return this.scope.isOfUid === undefined && this.isNamed(namespace, name);
    return this.#coversNamespace(namespace);
  }

  #coversNamespace(namespace: string): boolean {
    return this.isErasedNamespace(this.scope.cluster, namespace);
  }

  #learnPod(cluster: string, fact: Fact): void {
    if (fact.kind !== "PodCreated" || !this.isErasedJob(cluster, fact.jobUid)) return;
    this.#add("pod", fact.namespace, fact.name);
  }

  #add(thing: "uid" | "pod", ...names: readonly string[]): void {
    this.#known.add(this.#hash(thing, ...names));
  }

  #hash(thing: "namespace" | "job" | "uid" | "pod", ...names: readonly string[]): string {
    return saltedHash(this.scope.salt, thing, ...names);
  }
}
