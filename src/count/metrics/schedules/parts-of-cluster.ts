import type { ClusterName } from "../../../job/model/ids.ts";
import type { Instant } from "../../../job/model/instant.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { KnownCronJob } from "../../../query/cron-jobs/cron-jobs.ts";
import type { CountedCronJob } from "./counted-cron-job.ts";
import { endCronJobs } from "./end-cron-jobs.ts";
import {
  CRON_JOBS_PER_PART,
  type EndedCount,
  partKeyOf,
  type SchedulePart,
  type StoredSchedulePart,
  writeSchedulePart,
} from "./schedule-part.ts";

/** A part during a pass. */
interface OpenPart {
  readonly version: number;
  readonly cronJobs: Map<string, CountedCronJob>;
  readonly ended: readonly EndedCount[];
}

/** The counted CronJobs of a cluster during a pass. */
export class PartsOfCluster {
  readonly cluster: ClusterName;
  readonly #parts = new Map<string, OpenPart>();
  readonly #changed = new Set<string>();
  /** The part of each CronJob: it does not move. */
  readonly #keys = new Map<string, string>();

  constructor(cluster: ClusterName, parts: readonly StoredSchedulePart[]) {
    this.cluster = cluster;
    for (const { key, part, version } of parts) {
      this.#parts.set(key, { ...opened(part), version });
      for (const { uid } of part.cronJobs) this.#keys.set(uid, key);
    }
  }

  of(uid: string): CountedCronJob | undefined {
    const key = this.#keys.get(uid);
    return key === undefined ? undefined : this.#parts.get(key)?.cronJobs.get(uid);
  }

  set(counted: CountedCronJob): void {
    const { uid } = counted;
    if (JSON.stringify(this.of(uid)) === JSON.stringify(counted)) return;
    const key = this.#keys.get(uid) ?? this.#keyWithRoom(uid);
    const part = this.#parts.get(key) ?? { cronJobs: new Map<string, CountedCronJob>(), ended: [], version: 0 };
    part.cronJobs.set(uid, counted);
    this.#parts.set(key, part);
    this.#keys.set(uid, key);
    this.#changed.add(key);
  }

  #keyWithRoom(uid: string): string {
    for (let digits = 1; ; digits += 1) {
      const key = partKeyOf(this.cluster, uid, digits);
      const size = this.#parts.get(key)?.cronJobs.size ?? 0;
      if (size < CRON_JOBS_PER_PART || digits >= uid.length) return key;
    }
  }

  /** Only the sums of CronJobs that were deleted some time ago are kept. */
  end(known: readonly KnownCronJob[], heardAt: Instant): void {
    for (const [key, open] of this.#parts) {
      const part = closed(open);
      const left = endCronJobs(part, known, heardAt);
      if (left === part) continue;
      this.#parts.set(key, { ...opened(left), version: open.version });
      this.#changed.add(key);
    }
  }

  /** Returns `false` if another process has changed a part. */
  async write(meta: MetaStore): Promise<boolean> {
    let isWritten = true;
    for (const key of this.#changed) {
      const open = this.#parts.get(key);
      if (open === undefined) continue;
      if (!(await writeSchedulePart(meta, { key, part: closed(open), version: open.version }))) isWritten = false;
    }
    return isWritten;
  }
}

function opened({ cronJobs, ended }: SchedulePart): Omit<OpenPart, "version"> {
  return { cronJobs: new Map(cronJobs.map((cronJob) => [cronJob.uid, cronJob])), ended };
}

function closed({ cronJobs, ended }: OpenPart): SchedulePart {
  return { cronJobs: [...cronJobs.values()], ended };
}
