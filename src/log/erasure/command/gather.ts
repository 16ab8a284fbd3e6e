import type { ClusterName } from "../../../job/model/ids.ts";
import type { ErasableViews } from "../../../ports/erasing/erasable-views.ts";
import type { Eraser } from "../../../ports/erasing/eraser.ts";
import type { HoldStores } from "../../../ports/expiry/holds.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import { isJobFact, isPodFact } from "../../../job/model/fact.ts";
import type { Segment } from "../../../segment/segment.ts";
import type { ErasableArchive } from "../erasable-archive.ts";
import type { Erasure } from "../erasure.ts";
import type { ErasureCounts } from "../erasure-record.ts";
import { type LogStores, readableSegment, segmentsOfCluster } from "./erase-log.ts";

export interface GatherStores extends LogStores, HoldStores {
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "storedJobs">;
  readonly views: ErasableViews;
  readonly archive?: ErasableArchive | undefined;
}

/** How much an erasure will remove from the log and the states. Counted before it removes anything. */
export type GatheredCounts = Pick<ErasureCounts, "jobs" | "states" | "pods" | "facts" | "segments">;

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Finds the Jobs and Pods of an erasure: in the log, in the archive, and among the stored states. Throws
 * UnerasableSegmentError if a segment of the log cannot be read.
 */
export async function gather(stores: GatherStores, erasure: Erasure, cluster: ClusterName): Promise<GatheredCounts> {
  const { archive } = stores;
  for await (const item of segmentsOfCluster(stores, cluster)) erasure.learn(readableSegment(item));
  if (archive !== undefined) for await (const segment of archive.segments(cluster)) erasure.learn(segment);
  for (const projection of PROJECTIONS) await learnStored(stores, erasure, { cluster, projection });
  // Everything is read again, because a Pod may have been observed before its Job.
  const found = new FoundData(erasure);
  for await (const item of segmentsOfCluster(stores, cluster)) found.addLogged(readableSegment(item));
  if (archive !== undefined) for await (const segment of archive.segments(cluster)) found.addSegment(segment);
  return { ...found.counts, ...(await foundStates(stores, found, cluster)) };
}

/** Counts each Job and Pod once, wherever it is found. */
class FoundData {
  readonly erasure: Erasure;
  readonly jobs = new Set<string>();
  readonly #pods = new Set<string>();
  #segments = 0;
  #facts = 0;

  constructor(erasure: Erasure) {
    this.erasure = erasure;
  }

  get counts(): Omit<GatheredCounts, "states" | "jobs"> {
    return { pods: this.#pods.size, segments: this.#segments, facts: this.#facts };
  }

  addLogged(segment: Segment): void {
    const facts = this.addSegment(segment);
    if (facts > 0) this.#segments += 1;
    this.#facts += facts;
  }

  /** Returns how many facts of a segment are erased. */
  addSegment(segment: Segment): number {
    this.erasure.learn(segment);
    const erased = segment.facts.filter((fact) => this.erasure.isErased(segment.cluster, fact));
    for (const fact of erased) {
      if (isJobFact(fact)) this.jobs.add(fact.jobUid);
      if (isPodFact(fact)) this.#pods.add(fact.podUid);
    }
    return erased.length;
  }
}

interface Stored {
  readonly cluster: ClusterName;
  readonly projection: ProjectionName;
}

/** Learns Jobs from stored states, because the log may have lost the creation of a stored Job. */
async function learnStored(
  { projections, eraser }: GatherStores,
  erasure: Erasure,
  { cluster, projection }: Stored,
): Promise<void> {
  const jobs = projections.open(projection);
  for await (const jobUid of eraser.storedJobs(projection, cluster)) {
    const row = (await jobs.read({ cluster, jobUid }))?.row;
    if (row !== undefined) erasure.learnJob({ ...row, uid: jobUid });
  }
}

/** All Jobs that were found, whether in facts or only in lists of stored states. */
async function foundStates(
  stores: GatherStores,
  { jobs: found, erasure }: FoundData,
  cluster: ClusterName,
): Promise<Pick<GatheredCounts, "jobs" | "states">> {
  const states = new Map<string, number>();
  for await (const { jobUid, state } of stores.views.listedStates(stores, cluster)) {
    if (!erasure.isErasedJob(cluster, jobUid)) continue;
    found.add(jobUid);
    states.set(state, (states.get(state) ?? 0) + 1);
  }
  return { jobs: found.size, states: Object.fromEntries(states) };
}
