import { HOUR_MILLIS, hourOf, type Instant } from "../job/model/instant.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { listRecords } from "../ports/list-records.ts";
import { exponentialBackOff } from "../ports/concurrency/back-off.ts";
import { retryWith } from "../ports/concurrency/retry.ts";
import { joinSeriesRuns } from "../projection/series/series-runs.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { CountPosition } from "./count-records.ts";
import { applyDifferences, type CountedProjection } from "./apply-differences.ts";
import { writeShard } from "./counted-shard.ts";
import { type BatchRange, gatherBatches, type Gathered } from "./gather-batches.ts";
import { applyMetrics } from "./metrics/sums/apply-metrics.ts";
import { forgetGauges } from "./metrics/sums/forget-gauges.ts";
import {
  CountsHeldError,
  countedSince,
  firstWholeHour,
  type OpenedPosition,
  openPosition,
  savePosition,
} from "./open-position.ts";
import { type EarlierProjection, mayTakeOver, takeOverMetrics } from "./take-over-metrics.ts";
import { applyUsage } from "./usage/usage-sums.ts";
import { rollUp } from "./roll-up.ts";
import { SumsConflictError } from "./metrics/sums/sums-errors.ts";

export interface CountPorts extends CountedProjection {
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
  /** Counts every write at once, at any cost. @default false */
  readonly eager?: boolean;
  /** Counts all older hours again from their Jobs: the stream lost writes. @default false */
  readonly again?: boolean;
}

export interface Counted {
  /** `held`: another process counts. */
  readonly outcome: "counted" | "held";
  /** Writes that were counted. */
  readonly writes: number;
  /** The age of the oldest write that was delivered and is not counted, 0 if all are. */
  readonly behindMillis: number;
  /** Whether the metrics of this projection now continue from those of the earlier one. */
  readonly tookOver: boolean;
}

/** Only a replay and an erasure write records of series at the same time. */
const JOIN_RETRY = retryWith(5, exponentialBackOff({ firstMillis: 50, maxMillis: 1_000, jitter: "full" }));
/** Longer than a Lambda function lives that counts: five minutes and one more. */
const HOLD_MILLIS = 6 * 60_000;
/** The longest time that writes wait for others, so that a sum is written once for many of them. */
const LONGEST_WAIT_MS = 5 * 60_000;
/**
 * By then, a write has been delivered and recorded: Lambda collects for a minute at most (lib/count.ts). AWS states no
 * bound. The age of the iterator shows when it takes longer (alarm WorkLags).
 */
export const SETTLE_MS = 90_000;
/** A switch of projections is noticed within this time. Until then, writes of the new projection are kept apart. */
const SWITCH_NOTICED_MS = 120_000;
/** Up to this number of sums, a round is applied at once: at most 60 write units a minute. */
const FEW_SUMS = 20;
/**
 * The number of writes per sum at which a round is worth its cost, 0.05 write units per Job: a sum takes three units,
 * and a Job three writes.
 */
const WRITES_PER_SUM = 180;
/** An hour is added to its day this long after its end: by then, few of its Jobs are still running. */
const ROLLED_AFTER_MS = 15 * 60_000;
/** Hours that one run adds to their days. */
const MOST_ROLLED = 48;

/**
 * Adds the writes of a projection that were recorded since the last run (record-batch.ts) to its sums. Each is counted
 * once, however often a run is interrupted: the batches of a round are fixed before they are added, and each sum
 * records the round that it has.
 */
export async function countJobs(ports: CountPorts, run: CountRun): Promise<Counted> {
  try {
    const counter = await JobCounter.open(ports, run);
    if (counter === undefined) return HELD;
    if (run.again === true) await counter.beginAgain();
    await counter.catchUp();
    await counter.takeOver();
    await counter.rollUpHours();
    return { outcome: "counted", ...counter.counted };
  } catch (cause) {
    if (cause instanceof SumsConflictError || cause instanceof CountsHeldError) return HELD;
    throw cause;
  }
}

const HELD = { outcome: "held", writes: 0, behindMillis: 0, tookOver: false } as const;

/** Counts one projection. The caller may also let it change sums in between (src/count/verify-counts.ts). */
export class JobCounter {
  readonly #ports: CountPorts;
  readonly #run: CountRun;
  #stored: OpenedPosition;
  counted: Omit<Counted, "outcome"> = { writes: 0, behindMillis: 0, tookOver: false };

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

  /** Counts the recorded writes while that is worth its cost and there is time. */
  async catchUp(): Promise<void> {
    await this.#finishApplying();
    // A switch decides from which write the metrics continue.
    if (this.#takesOver !== undefined && this.position.takeOver !== "done") return;
    let isPartial = true;
    while (isPartial && this.#run.hasTime?.() !== false) {
      const gathered = await this.uncounted({ before: this.#keptApartFrom });
      if (!this.#isWorthwhile(gathered)) return;
      await this.#apply(gathered);
      ({ isPartial } = gathered);
    }
  }

  /** The recorded writes that no sum contains. */
  async uncounted(range: Pick<BatchRange, "before" | "most"> = {}): Promise<Gathered> {
    const { since, activeFrom } = this.position;
    const gathered = await gatherBatches(this.#ports, { since, activeFrom, ...range });
    const { oldestAt } = gathered.differences;
    this.counted = { ...this.counted, behindMillis: oldestAt === undefined ? 0 : this.#run.now() - oldestAt };
    return gathered;
  }

  /** Lets the metrics of this projection continue from those of the earlier one, as a part of a round. */
  async takeOver(): Promise<void> {
    const { takeOver, ...rest } = this.position;
    if (this.#takesOver === undefined) {
      if (takeOver !== undefined) await this.#save(rest);
      return;
    }
    if (takeOver !== "done") {
      if (!mayTakeOver(this.#takesOver, this.#run.now() - SETTLE_MS)) return;
      await this.#apply(await this.uncounted({ most: Infinity }), "due");
    }
    this.counted = { ...this.counted, tookOver: true };
  }

  /** The stream lost writes, which can be in any hour: none is known until it is counted from its Jobs. */
  async beginAgain(): Promise<void> {
    const { metrics } = this.#ports;
    await this.#finishApplying();
    if (metrics !== undefined) await forgetGauges(this.#ports);
    await this.#save({ ...this.position, ...countedSince(metrics, firstWholeHour(this.#run.now())) });
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

  /** Runs `change` while no other process can write sums. `change` returns what else to record in the position. */
  async holding(change: (position: CountPosition) => Promise<Partial<CountPosition>>): Promise<void> {
    await this.#hold(this.position);
    const changed = await change(this.position);
    await this.#save({ ...this.position, ...changed, heldUntil: 0 });
  }

  async #finishApplying(): Promise<void> {
    const { applying: round, since, activeFrom } = this.position;
    if (round === undefined) return;
    await this.#hold(this.position);
    await this.#applyRound(round, await gatherBatches(this.#ports, { since, activeFrom, round, most: Infinity }), true);
  }

  #isWorthwhile({ differences, runs, isPartial }: Gathered): boolean {
    const { writes, oldestAt } = differences;
    if (writes === 0 || oldestAt === undefined) return false;
    const sums = differences.sums() + new Set(runs.map(({ key }) => key)).size;
    const isOld = this.#run.now() - oldestAt >= LONGEST_WAIT_MS;
    return this.#run.eager === true || isPartial || isOld || sums <= FEW_SUMS || writes >= WRITES_PER_SUM * sums;
  }

  /** Fixes the batches of a round, and applies it. A round that is stopped before it is fixed changes nothing. */
  async #apply(gathered: Gathered, takeOver?: "due"): Promise<void> {
    const round = Math.max(this.position.round, this.position.attempt ?? 0) + 1;
    await this.#hold({ ...this.position, attempt: round });
    const ends = await Promise.all(
      gathered.ends.map(async (end) => {
        const { shard, batch, to } = end;
        const value = { ...shard.value, next: { batch, to, round } };
        return { ...end, shard: await writeShard(this.#ports, { ...shard, value }) };
      }),
    );
    await this.#save({ ...this.position, applying: round, ...(takeOver && { takeOver }) });
    await this.#applyRound(round, { ...gathered, ends });
  }

  /** Safe to repeat: what was applied is not applied again. */
  async #applyRound(round: number, gathered: Gathered, isAgain = false): Promise<void> {
    const { differences, ends, jobs, runs } = gathered;
    await applyDifferences(this.#ports, round, differences.hours());
    await applyUsage(this.#ports, round, differences.usage());
    await joinSeriesRuns(this.#ports.meta, runs, JOIN_RETRY);
    const clusters = differences.clusters();
    await applyMetrics(this.#ports, { round, clusters, maxSeries: this.#ports.metrics?.maxSeries ?? 0 });
    if (this.position.takeOver === "due" && this.#takesOver !== undefined) {
      await takeOverMetrics({ ...this.#ports, ...this.#takesOver, now: this.#run.now() }, { jobs });
      await this.#save({ ...this.position, takeOver: "done" });
    }
    for (const { shard, batch, to } of ends) {
      await writeShard(this.#ports, { ...shard, value: { counted: { batch, to } } });
    }
    await this.#save(afterRound(this.position, { round, gathered, now: this.#run.now(), isAgain }));
    this.counted = { ...this.counted, writes: this.counted.writes + differences.writes, behindMillis: 0 };
  }

  get #takesOver(): EarlierProjection | undefined {
    return this.#ports.metrics?.takesOver;
  }

  /** The instant from which writes are kept apart, because the projection may begin to answer. */
  get #keptApartFrom(): Instant | undefined {
    const isIdle = this.#ports.metrics?.isShown === false && this.#takesOver === undefined;
    return isIdle ? this.#run.now() - SWITCH_NOTICED_MS : undefined;
  }

  #hold(value: CountPosition): Promise<void> {
    return this.#save({ ...value, heldUntil: this.#run.now() + HOLD_MILLIS });
  }

  async #save(value: CountPosition): Promise<void> {
    this.#stored = await savePosition(this.#ports, { value, version: this.#stored.version });
  }
}

interface AppliedRound {
  readonly round: number;
  readonly gathered: Gathered;
  readonly now: Instant;
  /** Whether an earlier process began this round. */
  readonly isAgain: boolean;
}

/** The position after a round is in all sums. */
function afterRound(position: CountPosition, { round, gathered, now, isAgain }: AppliedRound): CountPosition {
  const { applying: _, attempt: _attempt, earlier, ...rest } = position;
  const { countedTo, isPartial } = gathered;
  const isStated = !isPartial && countedTo !== undefined;
  return {
    ...rest,
    round,
    heldUntil: 0,
    // A round that was finished after a kill has the batches of then only. Clocks may differ.
    ...(isStated && !isAgain && { activeFrom: now - HOUR_MILLIS }),
    ...(isStated && { countedTo: Math.max(countedTo, position.countedTo ?? countedTo) }),
    ...(earlier !== undefined && earlier.until > now && { earlier }),
  };
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
