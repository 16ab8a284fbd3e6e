import { type Fact, isJobFact, isPodFact } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import { idHash } from "../../projection/pages/page-split.ts";

/** What the segments of an hour say about one Job. */
export interface TouchedJob {
  /** How many of them have facts about it. */
  segments: number;
  readonly pods: Set<PodUid>;
}

/** Jobs and Pods in memory, some hundred bytes each. */
const MOST = 200_000;

/**
 * The Jobs that the segments of an hour are about, in order of their first facts. If there are too many for the
 * memory, it keeps a share of them by their uids, and the segments are read again for each of the other shares.
 */
export class TouchedJobs {
  readonly #jobs = new Map<JobUid, TouchedJob>();
  readonly #most: number;
  #size = 0;
  #shares: number;
  readonly #share: number;

  constructor({ share = 0, shares = 1, most = MOST }: { share?: number; shares?: number; most?: number } = {}) {
    this.#share = share;
    this.#shares = shares;
    this.#most = most;
  }

  /** How many shares there are: read the segments so many times, once for each. */
  get shares(): number {
    return this.#shares;
  }

  get jobs(): ReadonlyMap<JobUid, TouchedJob> {
    return this.#jobs;
  }

  add(facts: readonly Fact[]): void {
    const seen = new Set<JobUid>();
    for (const fact of facts) {
      if (!isJobFact(fact) || !this.#isInShare(fact.jobUid)) continue;
      const job = this.#jobOf(fact.jobUid);
      if (!seen.has(fact.jobUid)) job.segments += 1;
      seen.add(fact.jobUid);
      if (!isPodFact(fact) || job.pods.has(fact.podUid)) continue;
      job.pods.add(fact.podUid);
      this.#size += 1;
    }
    // Only the first share can become smaller: the others are as large as it is.
    if (this.#share === 0) while (this.#size > this.#most && this.#jobs.size > 1) this.#halve();
  }

  #jobOf(uid: JobUid): TouchedJob {
    const known = this.#jobs.get(uid);
    if (known !== undefined) return known;
    const job: TouchedJob = { segments: 0, pods: new Set() };
    this.#jobs.set(uid, job);
    this.#size += 1;
    return job;
  }

  #isInShare(uid: JobUid): boolean {
    return idHash(uid) % this.#shares === this.#share;
  }

  #halve(): void {
    this.#shares *= 2;
    for (const [uid, { pods }] of this.#jobs) {
      if (this.#isInShare(uid)) continue;
      this.#jobs.delete(uid);
      this.#size -= 1 + pods.size;
    }
  }
}
