import type { JobSums } from "../ports/sums/job-sums.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { countPosition } from "./count-records.ts";
import { listUsage } from "./usage/usage-sums.ts";
import { readCounts } from "./read-counts.ts";

/** The sums of a projection, for summaries. */
export function storedSums(counted: CountedProjection): JobSums {
  return {
    counted: async () => (await readRecord(counted.meta, countPosition, countPositionKey(counted.projection)))?.value,
    read: (cluster, hours) => readCounts({ ...counted, cluster }, hours),
    usage: async function* (cluster, days) {
      for await (const { day, table } of listUsage({ ...counted, cluster }, days)) {
        for (const [namespace, usage] of table.usages()) yield { namespace, day, usage };
      }
    },
  };
}
