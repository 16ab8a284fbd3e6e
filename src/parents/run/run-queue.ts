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
  const begins = beginsOf(first.createdAt, evictions, admittedAt);
  const clusterQueue = last.fields["clusterQueue"];
  return {
    name,
    ...(clusterQueue !== undefined && { clusterQueue }),
    waits: waitsFrom(begins, { admittedAt, dated, goneAt: workload.deleted?.at ?? replacedAt }),
    admittedAt,
    evictions: evictions.map((condition) => evictionOf(condition, dated)),
  };
}

/** Its creation, and each eviction that ended an admission: one that is evicted while it waits goes on waiting. */
function beginsOf(createdAt: Instant, evictions: readonly Dated[], admittedAt: readonly Instant[]): readonly Instant[] {
  const begins = [createdAt];
  for (const { lastTransitionAt: at } of evictions) {
    const from = begins.at(-1) ?? createdAt;
    if (admittedAt.some((admitted) => admitted >= from && admitted <= at)) begins.push(at);
  }
  return begins;
}

function isDated(condition: ParentCondition): condition is Dated {
  return condition.lastTransitionAt !== undefined;
}

function isTrue({ type, status }: ParentCondition, wanted: string): boolean {
  return type === wanted && status === "True";
}

interface Around {
  readonly admittedAt: readonly Instant[];
  readonly dated: readonly Dated[];
  /** When the Workload was deleted or replaced. */
  readonly goneAt: Instant | undefined;
}

/** The times at which it waited. One that ends while it is being stopped does not wait again. */
function waitsFrom(begins: readonly Instant[], { admittedAt, dated, goneAt }: Around): readonly QueueWait[] {
  const finishedAt = dated.find((condition) => isTrue(condition, "Finished"))?.lastTransitionAt;
  return begins.flatMap((from, index) => {
    const until = begins[index + 1];
    const admitted = admittedAt.find((at) => at >= from && (until === undefined || at <= until));
    if (admitted === undefined && finishedAt !== undefined) return [];
    return waitOf(from, admitted ?? goneAt, dated);
  });
}

function waitOf(from: Instant, to: Instant | undefined, dated: readonly Dated[]): QueueWait {
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
