import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { type JobStream, StreamTrimmedError } from "../ports/streams/job-stream.ts";
import { listRecords } from "../ports/list-records.ts";
import type { MetaStore } from "../ports/meta.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import { type CountPosition, countPosition } from "./count-records.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { applyDifferences, type CountedProjection } from "./apply-differences.ts";
import { gather, type Gathered } from "./gather.ts";
import { HOUR_MILLIS, hourOf } from "./job-share.ts";
import { rollUp } from "./roll-up.ts";
import { SumsConflictError } from "./sums.ts";

export interface CountPorts extends CountedProjection {
  readonly stream: JobStream;
}

export interface CountRun {
  readonly now: () => Instant;
  /** Whether there is time for another round. @default always */
  readonly hasTime?: () => boolean;
  /** Counts every write at once, whatever it costs. @default false */
  readonly eager?: boolean;
}

export interface Counted {
  /** `held`: another process counts. */
  readonly outcome: "counted" | "held";
  /** Writes of the stream that were counted. */
  readonly writes: number;
  /** The age of the oldest write that is not counted, 0 if all are. */
  readonly behindMillis: number;
  /** The stream lost writes: older hours have to be counted again. */
  readonly isReset: boolean;
}

/** Longer than a Lambda function lives that counts: five minutes and one more. */
const HOLD_MILLIS = 6 * 60_000;
/** Rounds wait for more writes for so long, so that a sum is written once for many of them. */
const LONGEST_WAIT_MS = 5 * 60_000;
/** So often, a position is written though nothing was counted: then it says that nothing was missed. */
const STATED_EVERY_MS = 60_000;
/** By then, the stream has every write that a reader of the table sees. AWS states no bound; usually it is a second. */
export const SETTLE_MS = 20_000;
/** So few sums are written at once: at most 60 write units a minute. */
const FEW_SUMS = 20;
/** So many writes for each sum cost 0.05 write units per Job: a sum takes three units, a Job three writes. */
const WRITES_PER_SUM = 180;
/** An hour is added to its day so long after its end: few of its Jobs are still running. */
const ROLLED_AFTER_MS = 15 * 60_000;
/** Hours that one run adds to their days. */
const MOST_ROLLED = 48;

/**
 * Counts the writes of a projection since the last run. Each write is counted once, however often a run is interrupted:
 * the end of a round is recorded before its differences are added, each sum records the round that it has, and the
 * stream is read again from where the last complete round ended.
 */
export async function countJobs(ports: CountPorts, run: CountRun): Promise<Counted> {
  const counter = await JobCounter.open(ports, run);
  if (counter === undefined) return HELD;
  try {
    await counter.catchUp();
    await counter.rollUpHours();
  } catch (cause) {
    if (cause instanceof SumsConflictError) return HELD;
    if (!(cause instanceof StreamTrimmedError)) throw cause;
    await counter.reset();
  }
  return { outcome: "counted", ...counter.counted };
}

const HELD = { outcome: "held", writes: 0, behindMillis: 0, isReset: false } as const;

interface OpenedPosition {
  readonly value: CountPosition;
  readonly version: number;
}

/** A new stage has no Jobs. In another one, those that are created from the hour after the next on are counted. */
async function openPosition({ meta, projection }: CountPorts, now: Instant): Promise<OpenedPosition> {
  const stored = await readRecord(meta, countPosition, countPositionKey(projection));
  if (stored !== undefined) return stored;
  const isNewStage = (await meta.list("cluster", { prefix: "", limit: 1 })).records.length === 0;
  const since = isNewStage ? EARLIEST : firstWholeHour(now);
  return { value: { positions: {}, round: 0, heldUntil: 0, since, rolledTo: hourOf(now) }, version: 0 };
}

/** An hour in which every Job is created after now, also by clocks that are ahead. */
function firstWholeHour(now: Instant): Instant {
  return hourOf(now) + 2 * HOUR_MILLIS;
}

/** Counts one projection. The caller may also let it change sums in between (src/counts/verify-counts.ts). */
export class JobCounter {
  readonly #ports: CountPorts;
  readonly #run: CountRun;
  #stored: OpenedPosition;
  counted: Omit<Counted, "outcome"> = { writes: 0, behindMillis: 0, isReset: false };

  constructor(ports: CountPorts, run: CountRun, stored: OpenedPosition) {
    this.#ports = ports;
    this.#run = run;
    this.#stored = stored;
  }

  /** Opens the position of a projection; `undefined` while another process changes its sums. */
  static async open(ports: CountPorts, run: CountRun): Promise<JobCounter | undefined> {
    const opened = await openPosition(ports, run.now());
    return opened.value.heldUntil > run.now() ? undefined : new JobCounter(ports, run, opened);
  }

  get position(): CountPosition {
    return this.#stored.value;
  }

  /** Counts what the stream has, as far as it is worth its cost and there is time. */
  async catchUp(): Promise<void> {
    await this.#finishPending();
    while (this.#run.hasTime?.() !== false) {
      const before = this.#run.now() - SETTLE_MS;
      const gathered = await this.#gather();
      const countedTo = gathered.isPartial ? this.position.countedTo : before;
      if (!this.#isWorthwhile(gathered, before)) return;
      await this.#apply(gathered, countedTo);
      if (!gathered.isPartial) return;
    }
  }

  /** Begins again: what the stream lost can be in any hour, so none is known until it is counted from its Jobs. */
  async reset(): Promise<void> {
    const { round, rolledTo } = this.position;
    const since = firstWholeHour(this.#run.now());
    await this.#save({ positions: {}, round: round + 1, heldUntil: 0, since, rolledTo });
    this.counted = { ...this.counted, isReset: true };
  }

  /** Adds the hours that have ended to the sums of their days. */
  async rollUpHours(): Promise<void> {
    const { rolledTo } = this.position;
    const due = Math.min(hourOf(this.#run.now() - ROLLED_AFTER_MS), rolledTo + MOST_ROLLED * HOUR_MILLIS);
    if (due <= rolledTo) return;
    await this.holding(async ({ round }) => {
      const clusters = await knownClusters(this.#ports.meta);
      for (let hour = rolledTo; hour < due; hour += HOUR_MILLIS) await rollUp(this.#ports, clusters, { hour, round });
      return { rolledTo: due };
    });
  }

  /** Lets `change` write sums while no other process does. It returns what else to record. */
  async holding(change: (position: CountPosition) => Promise<Partial<CountPosition>>): Promise<void> {
    await this.#save({ ...this.position, heldUntil: this.#run.now() + HOLD_MILLIS });
    const changed = await change(this.position);
    await this.#save({ ...this.position, ...changed, heldUntil: 0 });
  }

  async #finishPending(): Promise<void> {
    const { positions: from, pending: to, pendingTo, since } = this.position;
    if (to === undefined) return;
    const again = await gather(this.#ports.stream, { from, to, since, most: Infinity });
    await this.#apply({ ...again, positions: to }, pendingTo);
  }

  async #gather(): Promise<Gathered> {
    const { positions: from, since } = this.position;
    const gathered = await gather(this.#ports.stream, { from, since });
    const { oldestAt } = gathered.differences;
    this.counted = { ...this.counted, behindMillis: oldestAt === undefined ? 0 : this.#run.now() - oldestAt };
    return gathered;
  }

  #isWorthwhile({ differences, positions, isPartial }: Gathered, countedTo: Instant): boolean {
    const { writes, oldestAt } = differences;
    if (writes === 0 || oldestAt === undefined) {
      const isDue = countedTo - (this.position.countedTo ?? EARLIEST) >= STATED_EVERY_MS;
      return isDue || !isSamePosition(positions, this.position.positions);
    }
    const sums = differences.hours().length;
    const isOld = this.#run.now() - oldestAt >= LONGEST_WAIT_MS;
    return this.#run.eager === true || isPartial || isOld || sums <= FEW_SUMS || writes >= WRITES_PER_SUM * sums;
  }

  async #apply({ differences, positions }: Gathered, to: Instant | undefined): Promise<void> {
    const hours = differences.hours();
    const { pending: _, pendingTo: _to, ...before } = this.position;
    const round = before.round + 1;
    if (hours.length > 0) {
      const pending = { pending: positions, ...(to !== undefined && { pendingTo: to }) };
      await this.#save({ ...before, ...pending, heldUntil: this.#run.now() + HOLD_MILLIS });
      await applyDifferences(this.#ports, round, hours);
    }
    await this.#save({ ...before, positions, round, heldUntil: 0, ...(to !== undefined && { countedTo: to }) });
    this.counted = { ...this.counted, writes: this.counted.writes + differences.writes, behindMillis: 0 };
  }

  async #save(value: CountPosition): Promise<void> {
    const { meta, projection } = this.#ports;
    const key = countPositionKey(projection);
    const written = await writeRecord(meta, countPosition, { key, value, expected: this.#stored.version });
    if (written.outcome === "conflict") throw new SumsConflictError(key);
    this.#stored = { value, version: written.version };
  }
}

function isSamePosition(a: CountPosition["positions"], b: CountPosition["positions"]): boolean {
  const shards = Object.entries(a);
  return shards.length === Object.keys(b).length && shards.every(([id, position]) => b[id] === position);
}

/** All clusters that have sent anything. */
export async function knownClusters(meta: MetaStore): Promise<readonly ClusterName[]> {
  const clusters: ClusterName[] = [];
  for await (const { key } of listRecords(meta, "cluster", { prefix: "" })) {
    const cluster = decodeClusterName(key);
    if (cluster !== undefined) clusters.push(cluster);
  }
  return clusters;
}
