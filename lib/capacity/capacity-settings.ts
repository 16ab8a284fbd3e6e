import { MAX_PACK_SHARDS, SWEEP_SHARDS } from "../../src/ports/deployment/limits.ts";
import { type Context, flagOf, InvalidSettingsError, numberOf, textOf } from "../context-values.ts";
import { capacityOfPeak, type PeakCapacity } from "./peak-capacity.ts";

/**
 * How much of the account's capacity a stage uses. Each field is a context value of the same name. Those that depend on
 * the number of Jobs follow from `peakJobsPerSecond`, unless they are set themselves.
 */
export interface CapacitySettings extends PeakCapacity {
  /**
   * One-Pod Jobs that begin per second at the peak, in all clusters together. 1 to 6,000. The default suits a fleet of
   * half the reference fleet, whose peak is 588. @default 300
   */
  readonly peakJobsPerSecond: number;
  /**
   * How tables are billed: by request, or for units that are scaled by use and before midnight UTC
   * (lib/capacity/provisioned-capacity.ts). @default "onDemand"
   */
  readonly capacity: "onDemand" | "provisioned";
  /**
   * The account's quota of concurrent Lambda executions in the region (Service Quotas, "Concurrent executions"): 10 in
   * a new account, 1,000 by default, more on request. `aws lambda get-account-settings` shows it, and `outlive doctor`
   * compares it with this setting. @default 10
   */
  readonly accountConcurrency: number;
  /**
   * Whether each function has a reserved share of the account's concurrency, which other functions cannot use and which
   * it cannot exceed. The account needs enough concurrency. @default false
   */
  readonly reserveConcurrency: boolean;
  /**
   * For how long Lambda waits until ten segments have arrived, which ingest then writes as one log item. 0 to 10. With
   * 1 or more, a message in a queue with very little traffic may wait for 20 s (Lambda Developer Guide, "Using Lambda
   * with Amazon SQS"). 0 makes a quiet stage faster, and the log of a busy one more expensive. @default 1
   */
  readonly ingestBatchSeconds: number;
  /**
   * Batches of one shard of the log's stream that are projected at once. 1 to 10 (Lambda, ParallelizationFactor).
   * @default 10
   */
  readonly projectLanes: number;
  /** Batches of ten log keys that are projected again at once. 2 to 1,000. @default 2 */
  readonly refoldConcurrency: number;
  /**
   * Units of a replay that are projected at once. 1 to 1,000. Each writes some thousand units per second to a table.
   * @default 2
   */
  readonly replayConcurrency: number;
}

/** What Lambda keeps for functions without a reservation: AWS refuses a reservation that leaves less. */
const UNRESERVED_AT_LEAST = 100;
/** The page's files: one request per visitor, answered in milliseconds. */
export const PAGE_CONCURRENCY = 5;
/** People acknowledge: a few requests at a time. */
export const ACKNOWLEDGE_CONCURRENCY = 2;
/** Executions of the replay function beside its workers: one for the progress that `outlive replay` shows. */
export const REPLAY_CONTROL = 1;
/** Batches of ten dead letters that are ingested at once, in addition to the queue's own. */
export const REDRIVE_CONCURRENCY = 10;
/** Functions on a schedule: audit and count, one run at a time, and the shards of the sweep. */
const SCHEDULED = 2 + SWEEP_SHARDS;

/** Tables of Jobs. Each shard of their streams invokes the count function. They have about as many as the log. */
const JOB_TABLES = 2;

/** The most concurrent executions that the stage's functions use. */
export function concurrencyOf(capacity: CapacitySettings): number {
  return reservedOf(capacity) + SCHEDULED + JOB_TABLES * capacity.logShards;
}

/** The concurrent executions that the stage reserves where `reserveConcurrency` is set. */
export function reservedOf(capacity: CapacitySettings): number {
  const { refoldConcurrency, replayConcurrency, queryConcurrency } = capacity;
  const replay = replayConcurrency + REPLAY_CONTROL;
  const writers = ingestReservation(capacity) + projectConcurrency(capacity) + refoldConcurrency + replay;
  return writers + queryConcurrency + ACKNOWLEDGE_CONCURRENCY + PAGE_CONCURRENCY;
}

/** A redrive takes nothing from the queue. */
export function ingestReservation({ ingestConcurrency }: CapacitySettings): number {
  return ingestConcurrency + REDRIVE_CONCURRENCY;
}

/** Each lane of each shard is one execution. */
export function projectConcurrency({ logShards, projectLanes }: CapacitySettings): number {
  return logShards * projectLanes;
}

/** How the tables are billed, and the units for which they are prepared. */
export function tableCapacity({ capacity, peakJobsPerSecond, warmWriteUnits }: CapacitySettings) {
  if (capacity === "provisioned") return { provisionedFor: peakJobsPerSecond };
  return warmWriteUnits === undefined ? {} : { warmWriteUnits };
}

const BILLING = { pattern: /^(onDemand|provisioned)$/, form: "onDemand or provisioned" };

/** The least and the most valid value. */
type Range = readonly [least: number, most: number];

/** Throws {@link InvalidSettingsError}, also where the account cannot reserve what the settings say. */
export function readCapacity(context: Context): CapacitySettings {
  const number = (name: string, [least, most]: Range, fallback: number) =>
    numberOf(context, name, { least, most, default: fallback });
  const peakJobsPerSecond = number("peakJobsPerSecond", [1, 6_000], 300);
  const peak = capacityOfPeak(peakJobsPerSecond);
  const warm = context("warmWriteUnits") ?? peak.warmWriteUnits;
  const capacity: CapacitySettings = {
    peakJobsPerSecond,
    capacity: textOf(context, "capacity", BILLING) === "provisioned" ? "provisioned" : "onDemand",
    accountConcurrency: number("accountConcurrency", [10, 1_000_000], 10),
    reserveConcurrency: flagOf(context, "reserveConcurrency"),
    ingestConcurrency: number("ingestConcurrency", [2, 1_000], peak.ingestConcurrency),
    ingestBatchSeconds: number("ingestBatchSeconds", [0, 10], 1),
    projectLanes: number("projectLanes", [1, 10], 10),
    logShards: number("logShards", [1, 100], peak.logShards),
    packShards: number("packShards", [1, MAX_PACK_SHARDS], peak.packShards),
    refoldConcurrency: number("refoldConcurrency", [2, 1_000], 2),
    replayConcurrency: number("replayConcurrency", [1, 1_000], 2),
    queryConcurrency: number("queryConcurrency", [1, 1_000], peak.queryConcurrency),
    ...(warm !== undefined && {
      warmWriteUnits: number("warmWriteUnits", [4_000, 40_000], peak.warmWriteUnits ?? 4_000),
    }),
  };
  if (capacity.reserveConcurrency) checkReservation(capacity, context("keepProjectors") !== undefined);
  return capacity;
}

/** What the projectors of a trial use beside those in use. */
export function trialConcurrency(capacity: CapacitySettings): number {
  return projectConcurrency(capacity) + capacity.refoldConcurrency;
}

function checkReservation(capacity: CapacitySettings, hasTrial: boolean): void {
  const trial = hasTrial ? trialConcurrency(capacity) : 0;
  const trying = hasTrial ? `projectors of a trial ${trial}, ` : "";
  const needed = reservedOf(capacity) + trial + UNRESERVED_AT_LEAST;
  if (needed <= capacity.accountConcurrency) return;
  throw new InvalidSettingsError(
    `The reservations need ${needed} concurrent executions (ingest ${ingestReservation(capacity)}, project ` +
      `${capacity.logShards} shards x ${capacity.projectLanes} lanes, refold ${capacity.refoldConcurrency}, query ` +
      `${capacity.queryConcurrency}, acknowledge ${ACKNOWLEDGE_CONCURRENCY}, page ${PAGE_CONCURRENCY}, replay ` +
      `${capacity.replayConcurrency + REPLAY_CONTROL}, ${trying}and ${UNRESERVED_AT_LEAST} that AWS keeps ` +
      "unreserved), " +
      `and accountConcurrency is ${capacity.accountConcurrency}. ` +
      "Ask for more (Service Quotas, Concurrent executions), then set accountConcurrency= to what " +
      "`aws lambda get-account-settings` shows; or lower the settings.",
  );
}
