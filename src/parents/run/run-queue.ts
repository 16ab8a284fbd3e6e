import type { Instant } from "../../job/model/instant.ts";
import type { ParentCondition } from "../../job/model/fact.ts";
import type { ParentRecord } from "../status/parent-record.ts";

/** What a queue of Kueue did with a Job or a run. */
export interface RunQueue {
  readonly name: string;
  readonly clusterQueue?: string;
  readonly waits: readonly QueueWait[];
  readonly admittedAt: readonly Instant[];
  readonly evictions: readonly Eviction[];
}

interface QueueWait {
  readonly from: Instant;
  /** Absent while it waits. */
  readonly to?: Instant;
  readonly reason: string;
  /** What is missing, from Kueue's message. */
  readonly details?: ParentCondition["details"];
}

interface Eviction {
  readonly at: Instant;
  readonly reason: string;
  /** The uids of the preemptor: its Workload, and the Job or parent that the Workload belongs to. */
  readonly by?: { readonly workloadUid: string; readonly ownerUid?: string };
}

type Dated = ParentCondition & { readonly lastTransitionAt: Instant };

/**
 * What its Workloads, by creation, say together: Kueue creates another one if one is deleted. `undefined` if none of
 * them names a queue.
 */
export function queueOf(workloads: readonly ParentRecord[]): RunQueue | undefined {
  const queues = workloads.flatMap((workload, index) => {
    const replacedAt = workloads[index + 1]?.first?.createdAt;
    return queueOfWorkload(workload, replacedAt) ?? [];
  });
  const last = queues.at(-1);
  if (last === undefined) return undefined;
  return {
    ...last,
    waits: queues.flatMap(({ waits }) => waits),
    admittedAt: queues.flatMap(({ admittedAt }) => admittedAt),
    evictions: queues.flatMap(({ evictions }) => evictions),
  };
}

function queueOfWorkload(workload: ParentRecord, replacedAt: Instant | undefined): RunQueue | undefined {
  const { first, last, transitions } = workload;
  const name = last?.fields["queueName"];
  if (first === undefined || last === undefined || name === undefined) return undefined;
  const dated = [...transitions.values()].filter(isDated).sort((a, b) => a.lastTransitionAt - b.lastTransitionAt);
  const evictions = dated.filter((condition) => isTrue(condition, "Evicted"));
  const admittedAt = dated.filter((condition) => isTrue(condition, "Admitted")).map((each) => each.lastTransitionAt);
  const begins = [first.createdAt, ...evictions.map((eviction) => eviction.lastTransitionAt)];
  const around = { admittedAt, over: endOf(workload, dated) ?? replacedAt, dated };
  const clusterQueue = last.fields["clusterQueue"];
  return {
    name,
    ...(clusterQueue !== undefined && { clusterQueue }),
    waits: begins.map((from, index) => waitFrom(from, { ...around, until: begins[index + 1] })),
    admittedAt,
    evictions: evictions.map((condition) => evictionOf(condition, dated)),
  };
}

function endOf({ deleted }: ParentRecord, dated: readonly Dated[]): Instant | undefined {
  return dated.find((condition) => isTrue(condition, "Finished"))?.lastTransitionAt ?? deleted?.at;
}

function isDated(condition: ParentCondition): condition is Dated {
  return condition.lastTransitionAt !== undefined;
}

function isTrue({ type, status }: ParentCondition, wanted: string): boolean {
  return type === wanted && status === "True";
}

interface Around {
  /** The next time that it began to wait. */
  readonly until: Instant | undefined;
  readonly admittedAt: readonly Instant[];
  readonly over: Instant | undefined;
  readonly dated: readonly Dated[];
}

/** It waits from its creation, and from each eviction, until it is admitted. */
function waitFrom(from: Instant, { until, admittedAt, over, dated }: Around): QueueWait {
  const admitted = admittedAt.find((at) => at >= from && (until === undefined || at <= until));
  const to = admitted ?? until ?? over;
  const pending = dated.findLast(
    ({ type, status, lastTransitionAt }) =>
      type === "QuotaReserved" &&
      status === "False" &&
      lastTransitionAt >= from &&
      (to === undefined || lastTransitionAt <= to),
  );
  return {
    from,
    ...(to !== undefined && { to }),
    reason: pending?.reason ?? "Pending",
    ...(pending?.details !== undefined && { details: pending.details }),
  };
}

/** Who preempted is said by the condition Preempted, or by the eviction itself. */
function evictionOf({ lastTransitionAt: at, reason = "", details }: Dated, dated: readonly Dated[]): Eviction {
  const preempted = dated.findLast(
    (other) => other.type === "Preempted" && other.status === "True" && Math.abs(other.lastTransitionAt - at) <= 2_000,
  );
  const { workloadUid, jobUid } = preempted?.details ?? details ?? {};
  return {
    at,
    reason,
    ...(workloadUid !== undefined && {
      by: { workloadUid, ...(jobUid !== undefined && { ownerUid: jobUid }) },
    }),
  };
}
