import { forgetGauges } from "./metrics/sums/forget-gauges.ts";
import { EARLIEST, HOUR_MILLIS, hourOf, type Instant } from "../job/model/instant.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { type CountPosition, countPosition } from "./count-records.ts";
import { SumsConflictError } from "./metrics/sums/sums-errors.ts";

export interface OpenedPosition {
  readonly value: CountPosition;
  readonly version: number;
}

export interface PositionOwner extends CountedProjection {
  /** @default the Jobs do not contribute to metrics */
  readonly metrics?: unknown;
}

/** Twice as long as a stream keeps its writes. */
const EARLIER_MS = 48 * HOUR_MILLIS;

/**
 * How far a projection is counted. A new stage has no Jobs. In another one, those that are created from the hour after
 * the next on are counted. Throws {@link CountsHeldError} while a function of an earlier release still counts.
 */
export async function openPosition(owner: PositionOwner, now: Instant): Promise<OpenedPosition> {
  const { meta, projection, metrics } = owner;
  const stored = await readRecord(meta, countPosition, countPositionKey(projection));
  // A release without metrics has counted until now.
  const later = metrics !== undefined && { metricsSince: firstWholeHour(now) };
  if (stored === undefined) return savePosition(owner, { version: 0, value: await beginning(owner, now) });
  const value = { ...later, ...stored.value };
  return value.positions === undefined ? { ...stored, value } : upgrade(owner, { ...stored, value }, now);
}

async function beginning({ meta, metrics }: PositionOwner, now: Instant): Promise<CountPosition> {
  const isNewStage = (await meta.list("cluster", { prefix: "", limit: 1 })).records.length === 0;
  const since = isNewStage ? EARLIEST : firstWholeHour(now);
  return { round: 0, heldUntil: 0, rolledTo: hourOf(now), ...countedSince(metrics, since) };
}

/** Which Jobs are counted, and contribute to the metrics. */
export function countedSince(metrics: unknown, since: Instant): Pick<CountPosition, "since" | "metricsSince"> {
  return { since, ...(metrics !== undefined && { metricsSince: since }) };
}

/**
 * Continues where a release stopped that read the stream itself: the writes up to its positions are counted. Where it
 * was stopped in the middle of a round, older hours are counted again from their Jobs.
 */
async function upgrade(
  owner: PositionOwner,
  { value, version }: OpenedPosition,
  now: Instant,
): Promise<OpenedPosition> {
  if (value.heldUntil > now) throw new CountsHeldError();
  const { positions = {}, pending, ...rest } = value;
  const earlier = { positions, until: now + EARLIER_MS };
  if (pending === undefined) return savePosition(owner, { version, value: { ...rest, earlier } });
  if (owner.metrics !== undefined) await forgetGauges(owner);
  const again = { round: rest.round + 1, ...countedSince(owner.metrics, firstWholeHour(now)) };
  return savePosition(owner, { version, value: { ...rest, ...again, earlier } });
}

/** An hour in which every Job is created after now, also by clocks that are ahead. */
export function firstWholeHour(now: Instant): Instant {
  return hourOf(now) + 2 * HOUR_MILLIS;
}

/** Throws {@link SumsConflictError} where another process has written the position. */
export async function savePosition(
  { meta, projection }: CountedProjection,
  { value, version: expected }: OpenedPosition,
): Promise<OpenedPosition> {
  const key = countPositionKey(projection);
  const written = await writeRecord(meta, countPosition, { key, value, expected });
  if (written.outcome === "conflict") throw new SumsConflictError(key);
  return { value, version: written.version };
}

/** Lambda delivers the writes again. */
export class CountsHeldError extends Error {
  override readonly name = "CountsHeldError";

  constructor() {
    super("The count function of an earlier release still changes the counts. Lambda retries within six minutes.");
  }
}
