import { JobFold, emptyJob, type JobRecord } from "../../job/model/job-record.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { isJobFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ArchivedJob } from "../../ports/archived-jobs.ts";
import type { Log, LogItem } from "../../ports/log.ts";
import { type JobView, viewRecord } from "../../projection/job-state/read-job.ts";
import type { SegmentName } from "../../projection/job-state/log-keys.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";

/** The last state of an expired Job: the join of its archived facts. */
export function viewArchived(cluster: ClusterName, { jobUid, items }: ArchivedJob): JobView {
  const fold = new JobFold();
  const segments: SegmentName[] = [];
  let seenAt: Instant = 0;
  for (const { bytes } of items) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") continue;
    const { sealedAt, session, sequence, facts } = decoded.segment;
    segments.push({ sealedAt, session, sequence });
    for (const fact of facts) {
      if (!isJobFact(fact) || fact.jobUid !== jobUid) continue;
      fold.add(fact);
      seenAt = Math.max(seenAt, fact.at);
    }
  }
  const record: JobRecord = fold.records.get(jobUid) ?? emptyJob(jobUid);
  return viewRecord(cluster, { record, segments, seenAt });
}

/** The segments of an archived Job, as the log had them. */
export function archivedLog({ items }: ArchivedJob): Pick<Log, "read"> {
  const bySk = new Map<string, LogItem>(items.map((item) => [item.key.sk, item]));
  return { read: async ({ sk }) => bySk.get(sk) };
}
