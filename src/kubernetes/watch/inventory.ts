import type { CronJobDeleted, Fact, NodeDeleted, Stamp } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** The most Jobs that are remembered of one Pod, the first ones, as in owner-memory.ts. */
const MAX_JOBS = 4;
const NONE: readonly JobUid[] = [];

/** What it takes to say that a Node or a CronJob is gone. */
type NodeName = Pick<NodeDeleted, "node" | "nodeUid">;
type CronJobName = Pick<CronJobDeleted, "namespace" | "name" | "cronJobUid">;

/**
 * Which objects exist, as far as was seen: uids and whose they are, some 250 bytes each, never the objects. When a list lacks one of them it is gone, and
 * nobody saw it go.
 */
export class Inventory {
  readonly #jobs = new Map<JobUid, JobUid>();
  readonly #pods = new Map<PodUid, readonly JobUid[]>();
  readonly #nodes = new Map<string, NodeName>();
  readonly #cronJobs = new Map<string, CronJobName>();

  /** For `translate`: the Jobs that a Pod was seen to be of. Streams are in order, so that they are from before. */
  readonly jobsOfPod = (pod: PodUid): readonly JobUid[] => this.#pods.get(pod) ?? NONE;

  hasPod(uid: PodUid): boolean {
    return this.#pods.has(uid);
  }

  /** Learns from the facts of one observation: what they begin with, and whether they end with its going. */
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

  /** That those of `resource` which are not among `listed` are gone, each said as of `stamp`; then they are forgotten. */
  missing(resource: WatchedResource, listed: ReadonlySet<string>, stamp: Stamp): readonly Fact[] {
    switch (resource) {
      case "jobs":
        return takeMissing(this.#jobs, listed).map(([jobUid]) => ({ ...stamp, kind: "JobVanished", jobUid }));
      case "pods":
        return takeMissing(this.#pods, listed).flatMap(([podUid, jobs]) =>
          jobs.map((jobUid): Fact => ({ ...stamp, kind: "PodVanished", jobUid, podUid })),
        );
      case "nodes":
        return takeMissing(this.#nodes, listed).map(([, name]) => ({ ...stamp, kind: "NodeDeleted", ...name }));
      case "cronjobs":
        return takeMissing(this.#cronJobs, listed).map(([, name]) => ({ ...stamp, kind: "CronJobDeleted", ...name }));
      case "events":
        return [];
    }
  }

  #rememberOne(fact: Fact): void {
    const { kind } = fact;
    if (kind === "JobCreated") this.addJob(fact.jobUid);
    else if (kind === "PodCreated") this.addPod(fact.podUid, fact.jobUid);
    else if (kind === "NodeObserved") this.#nodes.set(fact.nodeUid, { node: fact.node, nodeUid: fact.nodeUid });
    else if (kind === "CronJobObserved") {
      const { namespace, name, cronJobUid } = fact;
      this.#cronJobs.set(cronJobUid, { namespace, name, cronJobUid });
    } else this.#forget(fact);
  }

  #forget(fact: Fact): void {
    const { kind } = fact;
    if (kind === "JobDeleted") this.#jobs.delete(fact.jobUid);
    else if (kind === "PodDeleted") this.#pods.delete(fact.podUid);
    else if (kind === "NodeDeleted") this.#nodes.delete(fact.nodeUid);
    else if (kind === "CronJobDeleted") this.#cronJobs.delete(fact.cronJobUid);
  }
}

function takeMissing<Uid extends string, Value>(
  known: Map<Uid, Value>,
  listed: ReadonlySet<string>,
): readonly (readonly [Uid, Value])[] {
  const missing = [...known].filter(([uid]) => !listed.has(uid));
  for (const [uid] of missing) known.delete(uid);
  return missing;
}
