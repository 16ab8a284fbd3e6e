import type { JobAnswer } from "../../explain/answer-document.ts";
import {
  type CronJobRecord,
  type HintRecord,
  hintKey,
  type NodeRecord,
  type ClusterContext,
} from "../../job/model/cluster-context.ts";
import { joinClusterObserved, joinCronJobFact, joinGap, joinHint, joinNodeFact } from "../../job/model/cluster-fold.ts";
import {
  type ClusterFact,
  type ClusterObserved,
  type CronJobDeleted,
  type CronJobObserved,
  type Fact,
  type GapRecorded,
  type HintFact,
  isJobFact,
  isNamespaceFact,
  isRunFact,
  type NamespaceFact,
  type NodeDeleted,
  type NodeObserved,
} from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { deriveRecord } from "../../explain/derived-job.ts";
import { presentRecord } from "../../explain/present-job.ts";
import { RunFactFold, type RunFold, type RunRecords } from "./fold-runs.ts";
import { SeriesFold } from "./fold-series.ts";
import { LIMITS, RestingJobs } from "./resting-jobs.ts";

/** The Jobs and the cluster that a set of facts describes, without a log. */
export interface Folded {
  /** Sorted by namespace, name and uid. It can be iterated once. */
  readonly jobs: Iterable<JobRecord>;
  readonly clusterContext: ClusterContext;
  /** What was observed of objects that Jobs belong to. */
  readonly runs: RunRecords;
  /** The past runs of series: all of them once the first Job has been read. */
  readonly series: SeriesFold;
  /** The latest instant of any fact; 0 without facts. */
  readonly latestAt: Instant;
}

/** Folds batches of facts, such as those of one watch event. Keeps only the records in memory. */
export async function foldFacts(batches: AsyncIterable<readonly Fact[]>): Promise<Folded> {
  const series = new SeriesFold();
  const jobs = new RestingJobs(LIMITS, (job) => series.add(job));
  const cluster = new ClusterFold();
  const runs = new RunFactFold();
  let latestAt: Instant = 0;
  for await (const facts of batches) {
    for (const fact of facts) {
      if (fact.at > latestAt) latestAt = fact.at;
      if (isJobFact(fact)) jobs.add(fact);
      else if (isRunFact(fact)) runs.add(fact);
      else if (!isNamespaceFact(fact)) cluster.add(fact);
    }
  }
  const clusterContext = cluster.clusterContext();
  return { jobs: jobs.inOrder(), runs: runs.records, series, clusterContext, latestAt };
}

interface FoldOptions {
  readonly cluster: string;
  readonly now: Instant;
  readonly pods: boolean;
  /** Adds what the parents say, and learns of each Job. */
  readonly runs?: RunFold;
}

/** The answer about each Job, sorted by namespace, name and uid. */
export function* answersOf(
  { jobs, series, clusterContext }: Folded,
  { cluster, now, pods, runs }: FoldOptions,
): Generator<JobAnswer> {
  for (const record of jobs) {
    const options = { cluster, clusterContext, now, pastRuns: series.runsOf(record.job.created) };
    const derived = deriveRecord(record, options);
    const answer = presentRecord(derived, record, { ...options, attempts: pods });
    const withAttempts = () => (pods ? answer : presentRecord(derived, record, { ...options, attempts: true }));
    yield runs?.add(answer, derived, withAttempts) ?? answer;
  }
}

/** Joins the facts about a cluster into the records of its objects, except those that only notifications need. */
class ClusterFold {
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #cronJobs = new Map<string, CronJobRecord>();
  readonly #hints = new Map<string, HintRecord>();
  readonly #gaps = new Map<string, GapRecorded>();
  #observed: ClusterObserved | undefined;

  add(fact: Exclude<ClusterFact, NamespaceFact>): void {
    switch (fact.kind) {
      case "NodeObserved":
      case "NodeDeleted":
        return this.#addNode(fact);
      case "EventHinted":
      case "RequestHinted":
      case "EvictionObserved":
        return this.#addHint(fact);
      case "GapRecorded":
        this.#gaps.set(fact.gapId, joinGap(this.#gaps.get(fact.gapId), fact));
        return;
      case "ClusterObserved":
        this.#observed = joinClusterObserved(this.#observed, fact);
        return;
      case "CronJobObserved":
      case "CronJobDeleted":
        return this.#addCronJob(fact);
    }
  }

  clusterContext(): ClusterContext {
    const { serverVersion, undated } = this.#observed ?? {};
    return {
      nodes: this.#nodes,
      cronJobs: this.#cronJobs,
      hints: new Map([...this.#hints].map(([key, { hints }]) => [key, hints])),
      gaps: [...this.#gaps.values()].sort((a, b) => a.from - b.from || (a.gapId < b.gapId ? -1 : 1)),
      ...(serverVersion !== undefined && { serverVersion }),
      ...(undated === true && { isUndated: true as const }),
    };
  }

  #addNode(fact: NodeObserved | NodeDeleted): void {
    const known = this.#nodes.get(fact.node) ?? { node: fact.node, stands: [], deleted: [] };
    this.#nodes.set(fact.node, joinNodeFact(known, fact));
  }

  #addCronJob(fact: CronJobObserved | CronJobDeleted): void {
    const { cronJobUid } = fact;
    this.#cronJobs.set(cronJobUid, joinCronJobFact(this.#cronJobs.get(cronJobUid) ?? { cronJobUid }, fact));
  }

  #addHint(fact: HintFact): void {
    const key = hintKey(fact.target);
    this.#hints.set(key, joinHint(this.#hints.get(key) ?? { hints: [] }, fact));
  }
}
