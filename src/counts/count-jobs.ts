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
import { applyMetrics } from "../metrics/sums/apply-metrics.ts";
import { forgetGauges } from "../metrics/sums/forget-gauges.ts";
import type { CountedMetrics } from "../metrics/sums/metric-differences.ts";
import { MetricsConflictError } from "../metrics/sums/metric-parts.ts";
import { type EarlierProjection, mayTakeOver, takeOverMetrics } from "./take-over-metrics.ts";
import { rollUp } from "./roll-up.ts";
import { SumsConflictError } from "./sums.ts";

export interface CountPorts extends CountedProjection {
  readonly stream: JobStream;
  /** How the Jobs contribute to the metrics. @default they do not */
  readonly metrics?: MetricsOfJobs;
}

export interface MetricsOfJobs {
  /** Whether they are shown. */
  readonly isShown: boolean;
  readonly maxSeries: number;
  /** The projection whose metrics this one continues, because it answers now. @default none */
  readonly takesOver?: EarlierProjection | undefined;
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
  /** The metrics of this projection continue those of the earlier one. */
  readonly tookOver: boolean;
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
    await counter.beginTakeOver();
    await counter.catchUp();
    await counter.takeOver();
    await counter.rollUpHours();
  } catch (cause) {
    if (cause instanceof SumsConflictError || cause instanceof MetricsConflictError) return HELD;
    if (!(cause instanceof StreamTrimmedError)) throw cause;
    await counter.reset();
  }
  return { outcome: "counted", ...counter.counted };
}

const HELD = { outcome: "held", writes: 0, behindMillis: 0, isReset: false, tookOver: false } as const;

interface OpenedPosition {
  readonly value: CountPosition;
  readonly version: number;
}

/** A new stage has no Jobs. In another one, those that are created from the hour after the next on are counted. */
async function openPosition({ meta, projection, metrics }: CountPorts, now: Instant): Promise<OpenedPosition> {
  const stored = await readRecord(meta, countPosition, countPositionKey(projection));
  // A release without metrics has counted until now.
  const later = metrics && { metricsSince: firstWholeHour(now) };
  if (stored !== undefined) return { ...stored, value: { ...later, ...stored.value } };
  const isNewStage = (await meta.list("cluster", { prefix: "", limit: 1 })).records.length === 0;
  const since = isNewStage ? EARLIEST : firstWholeHour(now);
  const begun = { since, ...(metrics && { metricsSince: since }) };
  return { value: { positions: {}, round: 0, heldUntil: 0, rolledTo: hourOf(now), ...begun }, version: 0 };
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
  counted: Omit<Counted, "outcome"> = { writes: 0, behindMillis: 0, isReset: false, tookOver: false };
  #isCaughtUp = false;

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
    while (!this.#isCaughtUp && this.#run.hasTime?.() !== false) {
      const before = this.#run.now() - SETTLE_MS;
      const gathered = await this.#gather();
      const countedTo = gathered.isPartial ? this.position.countedTo : before;
      if (!this.#isWorthwhile(gathered, before)) return;
      await this.#apply(gathered, countedTo);
      this.#isCaughtUp = !gathered.isPartial;
    }
  }

  /** Records from where on Jobs may have changed that the earlier projection does not have. */
  async beginTakeOver(): Promise<void> {
    const { positions, takesOverFrom } = this.position;
    if (this.#ports.metrics?.takesOver === undefined || takesOverFrom !== undefined) return;
    await this.#save({ ...this.position, takesOverFrom: positions });
  }

  /** Lets the metrics continue where those of the earlier projection are, once all writes are counted. */
  async takeOver(): Promise<void> {
    const { metrics, ...ports } = this.#ports;
    const { takesOver } = metrics ?? {};
    const { takesOverFrom, positions, metricsSince = EARLIEST } = this.position;
    if (takesOver === undefined || takesOverFrom === undefined || !mayTakeOver(takesOver, this.#run.now())) return;
    if ((await this.#gather()).differences.writes > 0) return;
    const range = { from: takesOverFrom, to: positions, since: metricsSince };
    await this.holding(async () => {
      await takeOverMetrics({ ...ports, ...takesOver, now: this.#run.now() }, range);
      return {};
    });
    const { takesOverFrom: _, ...rest } = this.position;
    await this.#save(rest);
    this.counted = { ...this.counted, tookOver: true };
  }

  /** Begins again: what the stream lost can be in any hour, so none is known until it is counted from its Jobs. */
  async reset(): Promise<void> {
    const { round, rolledTo } = this.position;
    const since = firstWholeHour(this.#run.now());
    const begun = { since, ...(this.#ports.metrics && { metricsSince: since }) };
    if (this.#ports.metrics !== undefined) await forgetGauges(this.#ports);
    await this.#save({ positions: {}, round: round + 1, heldUntil: 0, rolledTo, ...begun });
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
    const again = await gather(this.#ports.stream, { from, to, since, most: Infinity, metrics: this.#metrics });
    await this.#apply({ ...again, positions: to }, pendingTo);
  }

  async #gather(): Promise<Gathered> {
    const { positions: from, since } = this.position;
    const gathered = await gather(this.#ports.stream, { from, since, metrics: this.#metrics });
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
    const sums = differences.sums();
    const isOld = this.#run.now() - oldestAt >= LONGEST_WAIT_MS;
    return this.#isEager || isPartial || isOld || sums <= FEW_SUMS || writes >= WRITES_PER_SUM * sums;
  }

  async #apply({ differences, positions }: Gathered, to: Instant | undefined): Promise<void> {
    const hours = differences.hours();
    const { pending: _, pendingTo: _to, ...before } = this.position;
    const round = before.round + 1;
    const clusters = differences.metrics?.clusters() ?? new Map();
    if (hours.length + clusters.size > 0) {
      const pending = { pending: positions, ...(to !== undefined && { pendingTo: to }) };
      await this.#save({ ...before, ...pending, heldUntil: this.#run.now() + HOLD_MILLIS });
      await applyDifferences(this.#ports, round, hours);
      await applyMetrics(this.#ports, { round, clusters, maxSeries: this.#ports.metrics?.maxSeries ?? 0 });
    }
    await this.#save({ ...before, positions, round, heldUntil: 0, ...(to !== undefined && { countedTo: to }) });
    this.counted = { ...this.counted, writes: this.counted.writes + differences.writes, behindMillis: 0 };
  }

  get #isEager(): boolean {
    return this.#run.eager === true || this.#ports.metrics?.takesOver !== undefined;
  }

  get #metrics(): CountedMetrics | undefined {
    const { metricsSince } = this.position;
    const { metrics } = this.#ports;
    return metrics && metricsSince !== undefined ? { since: metricsSince, isShown: metrics.isShown } : undefined;
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
