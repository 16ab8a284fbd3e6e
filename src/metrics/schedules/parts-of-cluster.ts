import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { KnownCronJob } from "../../query/cron-jobs/cron-jobs.ts";
import type { CountedCronJob } from "./counted-cron-job.ts";
import { endCronJobs } from "./end-cron-jobs.ts";
import {
  CRON_JOBS_PER_PART,
  NO_CRON_JOBS,
  partKeyOf,
  type StoredSchedulePart,
  writeSchedulePart,
} from "./schedule-part.ts";

/** The counted CronJobs of a cluster during a pass. */
export class PartsOfCluster {
  readonly cluster: ClusterName;
  readonly #parts: Map<string, StoredSchedulePart>;
  readonly #changed = new Set<string>();
  readonly #cronJobs: Map<string, CountedCronJob>;

  constructor(cluster: ClusterName, parts: readonly StoredSchedulePart[]) {
    this.cluster = cluster;
    this.#parts = new Map(parts.map((part) => [part.key, part]));
    this.#cronJobs = new Map(parts.flatMap(({ part }) => part.cronJobs.map((one) => [one.uid, one] as const)));
  }

  of(uid: string): CountedCronJob | undefined {
    return this.#cronJobs.get(uid);
  }

  set(counted: CountedCronJob): void {
    const key = partKeyOf(this.cluster, counted.uid);
    const known = this.#parts.get(key) ?? { key, part: NO_CRON_JOBS, version: 0 };
    const others = known.part.cronJobs.filter(({ uid }) => uid !== counted.uid);
    if (others.length >= CRON_JOBS_PER_PART) return;
    if (JSON.stringify(this.#cronJobs.get(counted.uid)) === JSON.stringify(counted)) return;
    this.#cronJobs.set(counted.uid, counted);
    this.#parts.set(key, { ...known, part: { ...known.part, cronJobs: [...others, counted] } });
    this.#changed.add(key);
  }

  /** Only the sums of CronJobs that were deleted some time ago are kept. */
  end(known: readonly KnownCronJob[], heardAt: Instant): void {
    for (const [key, stored] of this.#parts) {
      const part = endCronJobs(stored.part, known, heardAt);
      if (part === stored.part) continue;
      this.#parts.set(key, { ...stored, part });
      this.#changed.add(key);
    }
  }

  /** Returns `false` if another process has changed a part. */
  async write(meta: MetaStore): Promise<boolean> {
    let isWritten = true;
    for (const key of this.#changed) {
      const stored = this.#parts.get(key);
      if (stored !== undefined && !(await writeSchedulePart(meta, stored))) isWritten = false;
    }
    return isWritten;
  }
}
