import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { DeadDelivery, ReceiverStatus } from "../../ports/notices.ts";
import { noticeRecord, type SubjectNotices } from "../../ports/records/notices/notice-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";

export interface OutboxStatus {
  readonly receivers: readonly ReceiverStatus[];
  /** Newest first. */
  readonly dead: readonly DeadDelivery[];
}

/** The messages of all receivers, derived from the notices of all subjects. Reads every notice record. */
export async function outboxStatus(meta: MetaStore, mostDead: number): Promise<OutboxStatus> {
  const receivers = new Map<string, ReceiverStatus>();
  const dead: DeadDelivery[] = [];
  for (const cluster of await clusterNames(meta, "everything")) {
    for await (const { value } of listDecoded(meta, noticeRecord, ofCluster(cluster))) {
      addNotices(receivers, value);
      dead.push(...value.dead);
    }
  }
  return {
    receivers: [...receivers.values()].toSorted((a, b) => (a.receiver < b.receiver ? -1 : 1)),
    dead: dead.toSorted((a, b) => b.at - a.at).slice(0, mostDead),
  };
}

function addNotices(receivers: Map<string, ReceiverStatus>, { waiting, dead, tallies }: SubjectNotices): void {
  const change = (receiver: string, of: (status: ReceiverStatus) => Partial<ReceiverStatus>): void => {
    const status = receivers.get(receiver) ?? { receiver, waiting: 0, delivered: 0, dead: 0, suppressed: 0 };
    receivers.set(receiver, { ...status, ...of(status) });
  };
  for (const [receiver, tally] of Object.entries(tallies)) {
    change(receiver, (status) => ({
      delivered: status.delivered + tally.delivered,
      dead: status.dead + tally.dead,
      suppressed: status.suppressed + tally.suppressed,
      ...latest(status.lastDeliveredAt, tally.lastDeliveredAt),
    }));
  }
  for (const { receiver, firstTriedAt, problem } of waiting) {
    change(receiver, (status) => ({
      waiting: status.waiting + 1,
      ...(firstTriedAt !== undefined && { failingSince: Math.min(firstTriedAt, status.failingSince ?? firstTriedAt) }),
      ...(problem !== undefined && { lastProblem: problem }),
    }));
  }
  for (const { receiver, problem } of dead) {
    change(receiver, (status) => ({ lastProblem: status.lastProblem ?? problem }));
  }
}

function latest(a: Instant | undefined, b: Instant | undefined): { readonly lastDeliveredAt?: Instant } {
  if (a === undefined && b === undefined) return {};
  return { lastDeliveredAt: Math.max(a ?? 0, b ?? 0) };
}
