import { countJobs } from "../../src/count/count-jobs.ts";
import { recordBatch } from "../../src/count/record-batch.ts";
import { STANDARD_MAX_SERIES } from "../../src/ports/deployment/limits.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";

/** The longest that the count function waits for more writes, as it does in a fleet (src/count/count-jobs.ts). */
const EVERY_MS = 300_000;

/**
 * What a shard of the fleet has in a minute, which Lambda delivers together (lib/count.ts): 174 writes a second on 380
 * partitions, which 3.8 TB have after 400 days.
 */
const WRITES_PER_BATCH = 27;

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
    await jobStream.deliver(async ({ shard, writes }) => {
      for (let from = 0; from < writes.length; from += WRITES_PER_BATCH) {
        await recordBatch(ports, { shard, writes: writes.slice(from, from + WRITES_PER_BATCH) }, now);
      }
    });
    await countJobs(ports, { now: () => now, eager: true });
    this.#countedAt = now;
  }

  /** Counts if that is due, after the first time. */
  async upTo(now: Instant): Promise<void> {
    if (now >= this.#countedAt + EVERY_MS) await this.at(now);
  }
}
