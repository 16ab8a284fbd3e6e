import { PROBE_CLUSTER } from "../ports/deployment/limits.ts";
import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { countBatchKey } from "../ports/meta-key.ts";
import { writeRecord } from "../ports/records/record-codec.ts";
import { isAfter, type StreamedWrite } from "../ports/streams/streamed-write.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { type ContributingJob, packBatch, storedBatch } from "./count-batch.ts";
import { CLOSED, type CountPosition } from "./count-records.ts";
import { listBatches, noteActive, openShard, type ShardEnd } from "./counted-shard.ts";
import { Differences } from "./differences.ts";
import { changedRuns } from "../projection/series/changed-runs.ts";
import { openPosition } from "./open-position.ts";
import { idOf } from "./metrics/sums/stored-contribution.ts";
import { SumsConflictError } from "./metrics/sums/sums-errors.ts";

export interface BatchPorts extends CountedProjection {
  /** How the Jobs contribute to the metrics. @default they do not */
  readonly metrics?: { readonly isShown: boolean };
}

/** Writes of one shard, as the store delivers them: in order at first, but any of them may be delivered again. */
export interface DeliveredWrites {
  readonly shard: string;
  readonly writes: readonly StreamedWrite[];
}

export interface RecordedBatch {
  /** Writes that were delivered for the first time. */
  readonly writes: number;
  /** The age of the oldest write of the shard that is not in the sums, 0 if all are. */
  readonly behindMillis: number;
}

/** Writes of a table of runs. Nothing says that the shards of two tables have different names. */
export function ofRuns({ shard, writes }: DeliveredWrites): DeliveredWrites {
  return { shard: `runs-${shard}`, writes: writes.map((write) => ({ ...write, isRun: true })) };
}

/** A record has at most 300 KB. */
const MOST_CHARACTERS = 280_000;

/**
 * Records what delivered writes change. The last batch of a shard says which writes are recorded, so a repeated write
 * changes nothing, alone or among others. A batch is one record, keyed by the position of its first write: if two
 * processes record the same writes, one of them fails.
 */
export async function recordBatch(
  ports: BatchPorts,
  { shard, writes }: DeliveredWrites,
  now: Instant,
): Promise<RecordedBatch> {
  const { value: position } = await openPosition(ports, now);
  const { mark, oldestAt } = await waitingIn(ports, shard, position);
  const fresh = after(mark, writes);
  if (fresh.length > 0) await noteActive(ports, shard, now);
  await record({ ports, shard, position }, fresh);
  const oldest = Math.min(oldestAt ?? now, fresh[0]?.at ?? now, now);
  return { writes: fresh.length, behindMillis: now - oldest };
}

/** The last recorded write of a shard, and when the oldest one was made that is not in all sums. */
async function waitingIn(ports: BatchPorts, shard: string, { earlier }: CountPosition) {
  const opened = await openShard(ports, shard);
  let mark: ShardEnd["to"] | undefined = opened.value.counted?.to ?? earlier?.positions[shard];
  let oldestAt: Instant | undefined;
  for await (const { stored } of listBatches(ports, opened)) {
    mark = stored.to;
    oldestAt = Math.min(oldestAt ?? stored.oldestAt, stored.oldestAt);
  }
  return { mark: mark === "" ? undefined : mark, oldestAt };
}

/** The writes after a position, each once. */
function after(mark: string | undefined, writes: readonly StreamedWrite[]): readonly StreamedWrite[] {
  if (mark === CLOSED) return [];
  let last = mark;
  return writes.filter(({ position }) => {
    const isFresh = last === undefined || isAfter(position, last);
    if (isFresh) last = position;
    return isFresh;
  });
}

interface Recording {
  readonly ports: BatchPorts;
  readonly shard: string;
  readonly position: CountPosition;
}

async function record(recording: Recording, writes: readonly StreamedWrite[]): Promise<void> {
  const [first, last] = [writes[0], writes.at(-1)];
  if (first === undefined || last === undefined) return;
  const { ports, shard } = recording;
  const value = packBatch(batchOf(recording, writes), last.position);
  if (writes.length > 1 && value.table.length + value.rest.length > MOST_CHARACTERS) {
    const middle = writes.length / 2;
    await record(recording, writes.slice(0, middle));
    return record(recording, writes.slice(middle));
  }
  const key = countBatchKey(ports.projection, shard)(first.position);
  const { outcome } = await writeRecord(ports.meta, storedBatch, { key, value, expected: 0 });
  if (outcome === "conflict") throw new SumsConflictError(key);
}

function batchOf({ ports: { metrics }, position }: Recording, writes: readonly StreamedWrite[]) {
  const { metricsSince } = position;
  const counted = metrics && metricsSince !== undefined ? { ...metrics, since: metricsSince } : undefined;
  // Jobs of older hours are left out when the batch is counted, because these hours may have been recounted by then.
  const differences = new Differences(EARLIEST, counted);
  for (const write of writes) differences.add(write);
  const amounts = [...differences.clusters()].map(
    ([cluster, sums]) =>
      [
        cluster,
        sums.changed().flatMap(({ series, parts }) => [...parts].map(([part, amount]) => ({ series, part, amount }))),
      ] as const,
  );
  const times = writes.map(({ at }) => at);
  return {
    writes: writes.length,
    oldestAt: Math.min(...times),
    newestAt: Math.max(...times),
    hours: differences.touched(),
    usage: differences.usage(),
    runs: changedRuns(writes),
    metrics: new Map(amounts),
    jobs: counted?.isShown === false ? contributions(differences, writes) : [],
  };
}

/** What the last writes left: a projection that begins to answer compares it with the earlier one. */
function contributions(differences: Differences, writes: readonly StreamedWrite[]): readonly ContributingJob[] {
  const jobs = new Map<string, ContributingJob>();
  for (const { key, isRun, at, after: stored } of writes) {
    if (key.cluster === PROBE_CLUSTER) continue;
    const createdAt = stored?.row?.createdAt;
    const amounts = differences.amountsOf({ key, isRun }, stored);
    jobs.set(idOf({ key, isRun }), { key, isRun, at, createdAt, amounts });
  }
  return [...jobs.values()];
}
