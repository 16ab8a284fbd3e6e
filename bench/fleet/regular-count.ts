import { countJobs } from "../../src/counts/count-jobs.ts";
import { recordBatch } from "../../src/counts/record-batch.ts";
import { STANDARD_MAX_SERIES } from "../../src/deployment/limits.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";

/** The longest that the count function waits for more writes, as it does in a fleet (src/counts/count-jobs.ts). */
const EVERY_MS = 300_000;

/** Counts Jobs every five minutes of virtual time. */
export class RegularCount {
  readonly #tables: MeteredTables;
  #countedAt = Number.POSITIVE_INFINITY;

  constructor(tables: MeteredTables) {
    this.#tables = tables;
  }

  /** Counts now. */
  async at(now: Instant): Promise<void> {
    const { meta, jobStream } = this.#tables;
    const metrics = { isShown: true, maxSeries: STANDARD_MAX_SERIES };
    const ports = { meta, projection: "A", metrics } as const;
    await jobStream.deliver((writes) => recordBatch(ports, writes, now));
    await countJobs(ports, { now: () => now, eager: true });
    this.#countedAt = now;
  }

  /** Counts if that is due, after the first time. */
  async upTo(now: Instant): Promise<void> {
    if (now >= this.#countedAt + EVERY_MS) await this.at(now);
  }
}
