import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import { noticeRecord } from "../../ports/records/notices/notice-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import type { WakeUp, WakeUps } from "../../ports/wake-ups.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import { SubjectOutbox } from "./subject-outbox.ts";

/** A message that is overdue by more than this has lost its wake-up, because a queue delivers one within minutes. */
const OVERDUE_MILLIS = 3_600_000;

/**
 * Wakes the receivers of waiting messages that lost their wake-up: it expired, or the receiver was removed from the
 * rule file and added again. Reads every notice record. Returns the number of wake-ups.
 */
export async function wakeOverdue(
  { meta, wakeUps }: { readonly meta: MetaStore; readonly wakeUps: WakeUps },
  now: Instant,
): Promise<number> {
  let sent = 0;
  for (const cluster of await clusterNames(meta, "everything")) {
    for await (const { key: subject, value } of listDecoded(meta, noticeRecord, ofCluster(cluster))) {
      const wanted: readonly WakeUp[] = [...new SubjectOutbox(subject, value).wanted].map(([receiver, at]) => ({
        receiver,
        subject,
        at,
      }));
      const overdue = wanted.filter(({ at }) => now - at > OVERDUE_MILLIS);
      if (overdue.length > 0) await wakeUps.send(overdue);
      sent += overdue.length;
    }
  }
  return sent;
}
