import * as v from "valibot";
import type { Instant } from "../../../job/model/instant.ts";
import { SCHEDULES_KEY } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { readRecord, recordCodec, writeRecord } from "../../../ports/records/record-codec.ts";

/** How far schedules are counted. */
export interface CountedUntil {
  /** For each cluster: the instant of its latest data when its due times were last counted. */
  readonly countedUntil: Readonly<Record<string, Instant>>;
  /** The cluster that the last run did not finish. */
  readonly unfinished?: string;
}

/** Kind `position`, key `#schedules`. */
export interface SchedulePosition extends CountedUntil {
  /** No process counts before. */
  readonly nextAt: Instant;
}

const schedulePosition = recordCodec<SchedulePosition>(
  "position",
  v.looseObject({
    nextAt: v.number(),
    countedUntil: v.record(v.string(), v.number()),
    unfinished: v.exactOptional(v.string()),
  }),
);

export interface HeldSchedules {
  readonly position: SchedulePosition;
  readonly version: number;
}

/**
 * Reserves the counting of schedules for this process for some time. `undefined` if another process has reserved it, or
 * has just counted. Without such a time, several processes may count: they count the same.
 */
export async function holdSchedules(
  meta: MetaStore,
  { now, everyMillis }: { readonly now: Instant; readonly everyMillis: number },
): Promise<HeldSchedules | undefined> {
  const stored = await readRecord(meta, schedulePosition, SCHEDULES_KEY);
  const before = stored?.value ?? { nextAt: -Infinity, countedUntil: {} };
  if (everyMillis > 0 && now < before.nextAt) return undefined;
  const position = { ...before, nextAt: now + everyMillis };
  const write = { key: SCHEDULES_KEY, value: position, expected: stored?.version ?? 0 };
  const written = await writeRecord(meta, schedulePosition, write);
  return written.outcome === "conflict" ? undefined : { position, version: written.version };
}

/** Records what was counted. If time ran out, the next run continues at once. */
export async function releaseSchedules(
  meta: MetaStore,
  { position, version }: HeldSchedules,
  { now, ...counted }: CountedUntil & { readonly now: Instant },
): Promise<void> {
  const { unfinished: _, ...before } = position;
  const nextAt = counted.unfinished === undefined ? before.nextAt : now;
  const value = { ...before, ...counted, nextAt };
  // If another process has begun in the meantime, it counts the same again, which changes nothing.
  await writeRecord(meta, schedulePosition, { key: SCHEDULES_KEY, value, expected: version });
}
