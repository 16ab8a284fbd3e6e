import type {
  CronJobDeleted,
  EvictionObserved,
  Fact,
  NodeDeleted,
  ParentDeleted,
  RunFact,
  Stamp,
} from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import { MarkedNamespaces } from "../translate/memory/marked-namespaces.ts";
import { isCustom, kindOf, type WatchedResource } from "../connection/watched-resource.ts";

/** The fields of the fact that what Jobs belong to was deleted. */
type ParentName = Omit<ParentDeleted, keyof Stamp | "kind">;

/** The most Jobs to remember per Pod: the first ones, as in ../translate/memory/owner-memory.ts. */
const MAX_JOBS = 4;
const NONE: readonly JobUid[] = [];

/** The fields of the fact that a Node was deleted. */
type NodeName = Pick<NodeDeleted, "node" | "nodeUid">;
/** The fields of the fact that a CronJob was deleted. */
type CronJobName = Pick<CronJobDeleted, "namespace" | "name" | "cronJobUid">;

/**
 * The objects that exist, as far as they were observed: uids and owners, some 250 bytes each.
 * An object that a later list lacks was deleted unobserved.
 */
export class Inventory {
  readonly #jobs = new Map<JobUid, JobUid>();
  readonly #pods = new Map<PodUid, readonly JobUid[]>();
  readonly #nodes = new Map<string, NodeName>();
  readonly #cronJobs = new Map<string, CronJobName>();
  readonly namespaces: MarkedNamespaces;
  /** The last observations of EvictionRequests and Evictions. */
  readonly #evictions = new Map<string, EvictionObserved>();
  /** By kind. */
  readonly #parents = new Map<string, Map<string, ParentName>>();

  constructor(namespaces = new MarkedNamespaces()) {
    this.namespaces = namespaces;
  }

  /** For `translate`: the Jobs to which earlier events assigned a Pod. */
  readonly jobsOfPod = (pod: PodUid): readonly JobUid[] => this.#pods.get(pod) ?? NONE;

  hasPod(uid: PodUid): boolean {
    return this.#pods.has(uid);
  }

  /** Updates the inventory from the facts of one observation. */
  remember(facts: readonly Fact[]): void {
    for (const fact of facts) this.#rememberOne(fact);
  }

  addJob(job: JobUid): void {
    this.#jobs.set(job, job);
  }

  addPod(pod: PodUid, job: JobUid): void {
    const jobs = this.jobsOfPod(pod);
    if (!jobs.includes(job) && jobs.length < MAX_JOBS) this.#pods.set(pod, [...jobs, job]);
  }

  /** Facts that the objects of `resource` which are not in `listed` are gone, with this stamp. Forgets them. */
  missing(resource: WatchedResource, listed: ReadonlySet<string>, stamp: Stamp): readonly Fact[] {
    if (isCustom(resource)) {
      const { kind } = kindOf(resource);
      if (kind === "EvictionRequest" || kind === "Eviction") return this.#missingEvictions(kind, listed, stamp);
      const parents = this.#parentsOf(kind);
      return takeMissing(parents, listed).map(([, name]) => ({ ...stamp, kind: "ParentDeleted", ...name }));
    }
    switch (resource) {
      case "jobs":
        return takeMissing(this.#jobs, listed).map(([jobUid]) => ({ ...stamp, kind: "JobVanished", jobUid }));
      case "pods":
        return takeMissing(this.#pods, listed).flatMap(([podUid, jobs]) =>
          jobs.map((jobUid): Fact => ({ ...stamp, kind: "PodVanished", jobUid, podUid })),
        );
      case "cronjobs":
        return takeMissing(this.#cronJobs, listed).map(([, name]) => ({ ...stamp, kind: "CronJobDeleted", ...name }));
      case "nodes":
        return takeMissing(this.#nodes, listed).map(([, name]) => ({ ...stamp, kind: "NodeDeleted", ...name }));
      case "namespaces":
        return this.namespaces.missing(listed, stamp);
      case "events":
        return [];
    }
  }

  #rememberOne(fact: Fact): void {
    const { kind } = fact;
    if (kind === "JobCreated") this.addJob(fact.jobUid);
    else if (kind === "PodCreated") this.addPod(fact.podUid, fact.jobUid);
    else if (kind === "NodeObserved") this.#nodes.set(fact.nodeUid, { node: fact.node, nodeUid: fact.nodeUid });
    else if (kind === "JobDeleted") this.#jobs.delete(fact.jobUid);
    else if (kind === "PodDeleted") this.#pods.delete(fact.podUid);
    else if (kind === "NodeDeleted") this.#nodes.delete(fact.nodeUid);
    else this.#rememberParent(fact);
  }

  #rememberParent(fact: Fact): void {
    const { kind } = fact;
    if (kind === "CronJobDeleted") this.#cronJobs.delete(fact.cronJobUid);
    else if (kind === "CronJobObserved") this.#cronJobs.set(fact.cronJobUid, nameOf(fact));
    else if (kind === "ParentDeleted") this.#parentsOf(fact.of).delete(fact.uid);
    else if (kind === "ParentObserved") this.#parentsOf(fact.of).set(fact.uid, parentName(fact));
    else if (kind === "EvictionObserved") this.#rememberEviction(fact);
  }

  #rememberEviction(fact: EvictionObserved): void {
    if (fact.deleted === true) this.#evictions.delete(fact.hintId);
    else this.#evictions.set(fact.hintId, fact);
  }

  #missingEvictions(of: EvictionObserved["of"], listed: ReadonlySet<string>, stamp: Stamp): readonly Fact[] {
    const missing = [...this.#evictions.values()].filter((fact) => fact.of === of && !listed.has(fact.hintId));
    for (const { hintId } of missing) this.#evictions.delete(hintId);
    return missing.map((fact) => ({ ...fact, ...stamp, deleted: true }));
  }

  #parentsOf(kind: string): Map<string, ParentName> {
    const parents = this.#parents.get(kind) ?? new Map<string, ParentName>();
    this.#parents.set(kind, parents);
    return parents;
  }
}

function nameOf({ namespace, name, cronJobUid }: CronJobName): CronJobName {
  return { namespace, name, cronJobUid };
}

function parentName({ of, namespace, name, uid, runUid }: RunFact): ParentName {
  return { of, namespace, name, uid, runUid };
}

function takeMissing<Uid extends string, Value>(
  known: Map<Uid, Value>,
  listed: ReadonlySet<string>,
): readonly (readonly [Uid, Value])[] {
  const missing = [...known].filter(([uid]) => !listed.has(uid));
  for (const [uid] of missing) known.delete(uid);
  return missing;
}
