import type { Instant } from "../job/model/instant.ts";
import type { Connection } from "./connection.ts";
import { tablesOf } from "./sqlite-job-store.ts";

/**
 * Deletes the messages of a cluster that were settled before the cutoff, and the notices about deleted Jobs that have
 * no messages left. Both must stay while the log has a Job's facts: if the facts are delivered late, no message may be
 * sent again.
 */
export function deleteNotices(connection: Connection, cluster: string, cutoff: Instant): void {
  // The subject of a message is `cluster#kind#uid`.
  const ofCluster = [`${cluster}#`, `${cluster}$`] as const;
  connection.run(
    "DELETE FROM deliveries WHERE status <> 'waiting' AND next_at < ? AND subject >= ? AND subject < ?",
    cutoff,
    ...ofCluster,
  );
  const jobs = `${cluster}#Job#`;
  const isStored = (["A", "B"] as const).map(
    (projection) =>
      `EXISTS (SELECT 1 FROM ${tablesOf(projection).jobs} AS job
         WHERE job.cluster = ? AND job.job_uid = substr(notices.subject, ?))`,
  );
  const ofJob = [cluster, jobs.length + 1] as const;
  connection.run(
    `DELETE FROM notices WHERE subject >= ? AND subject < ? AND substr(subject, 1, ?) = ?
       AND subject NOT IN (SELECT subject FROM deliveries) AND NOT (${isStored.join(" OR ")})`,
    ...ofCluster,
    jobs.length,
    jobs,
    ...ofJob,
    ...ofJob,
  );
}
