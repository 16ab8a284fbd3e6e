import { type Fact, isJobFact, isPodFact } from "../../job/model/fact.ts";
import type { ClusterName, JobUid, PodUid } from "../../job/model/ids.ts";
import { idHash } from "../../projection/pages/page-split.ts";

/** What the segments of an hour say about one Job. */
export interface TouchedJob {
  readonly cluster: ClusterName;
  readonly jobUid: JobUid;
  /** The sort keys of the segments that have facts about the Job. */
  readonly segments: Set<string>;
  readonly pods: Set<PodUid>;
}

export interface ReadSegment {
  readonly cluster: ClusterName;
  readonly sk: string;
  readonly facts: readonly Fact[];
}

/** Jobs and Pods in memory, some hundred bytes each. */
const MOST = 200_000;

/**
 * The Jobs that the segments of an hour have facts about, by cluster and in order of their first facts. If they do not
 * fit into memory, each pass keeps only a share of them, chosen by uid, and the caller reads the segments again for the
 * next share.
 */
export class TouchedJobs {
  readonly #clusters = new Map<ClusterName, Map<JobUid, TouchedJob>>();
  readonly #most: number;
  #count = 0;
  #size = 0;
  #shares: number;
  readonly #share: number;

  constructor({ share = 0, shares = 1, most = MOST }: { share?: number; shares?: number; most?: number } = {}) {
    this.#share = share;
    this.#shares = shares;
    this.#most = most;
  }

  /** The number of shares. Read the segments once for each share. */
  get shares(): number {
    return this.#shares;
  }

  *jobs(): Generator<TouchedJob> {
    for (const jobs of this.#clusters.values()) yield* jobs.values();
  }

  add({ cluster, sk, facts }: ReadSegment): void {
    for (const fact of facts) {
      if (!isJobFact(fact) || !this.#isInShare(fact.jobUid)) continue;
      const job = this.#jobOf(cluster, fact.jobUid);
      job.segments.add(sk);
      if (!isPodFact(fact) || job.pods.has(fact.podUid)) continue;
      job.pods.add(fact.podUid);
      this.#size += 1;
    }
    // Only the first share can become smaller: the others are as large as it is.
    if (this.#share === 0) while (this.#size > this.#most && this.#count > 1) this.#halve();
  }

  #jobOf(cluster: ClusterName, jobUid: JobUid): TouchedJob {
    const jobs = this.#clusters.get(cluster) ?? new Map<JobUid, TouchedJob>();
    this.#clusters.set(cluster, jobs);
    const known = jobs.get(jobUid);
    if (known !== undefined) return known;
    const job: TouchedJob = { cluster, jobUid, segments: new Set(), pods: new Set() };
    jobs.set(jobUid, job);
    this.#count += 1;
    this.#size += 1;
    return job;
  }

  #isInShare(uid: JobUid): boolean {
    return idHash(uid) % this.#shares === this.#share;
  }

  #halve(): void {
    this.#shares *= 2;
    for (const jobs of this.#clusters.values()) {
      for (const [uid, { pods }] of jobs) {
        if (this.#isInShare(uid)) continue;
        jobs.delete(uid);
        this.#count -= 1;
        this.#size -= 1 + pods.size;
      }
    }
  }
}
