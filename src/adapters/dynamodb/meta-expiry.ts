import { dayBegin, type Instant } from "../../job/model/instant.ts";
import { LOG_MORE_DAYS } from "../../ports/log.ts";
import type { MetaKind } from "../../ports/meta.ts";
import { logHourOf } from "../../ports/meta-key.ts";
import { CHANGES_DAYS } from "../../ports/records/changes-record.ts";
import { hourBegin } from "../../segment/pack-key.ts";
import { expiryOf } from "./expiry.ts";

/** A stream repeats writes of the last 24 hours, and an alarm is raised after a quarter of an hour without counts. */
const COUNT_DAYS = 7;

/** Segments wait for seconds, and the audit finds forgotten ones within hours. Quotas count one hour. */
const DAYS: Readonly<Partial<Record<MetaKind, number>>> = {
  waiting: 30,
  setAsideHour: 30,
  receiver: 30,
  changes: CHANGES_DAYS,
  countBatch: COUNT_DAYS,
  countShard: COUNT_DAYS,
};
const AS_THE_LOG: ReadonlySet<MetaKind> = new Set<MetaKind>(["hints", "series", "setAside", "late", "notice"]);

export interface RecordLifetime {
  readonly retentionDays: number;
  readonly now: Instant;
  /** The lifetime that the record's writer requested. */
  readonly lifetimeDays?: number | undefined;
}

/**
 * When a record expires: as its writer requested, otherwise by its kind. Hints exist for every object with Events; they
 * are kept as long as the log after the last Event, and series after their last run. A day or hour of the log expires
 * after its items. Set-aside messages, late arrivals and notices are kept as long as the log. Sums of Jobs expire when
 * they are empty (src/count/sums.ts). Other kinds have few records and do not expire. Without its gaps, a long Job
 * would seem complete. Without their records of what is counted, the metrics of a stage would fall.
 */
export function metaExpiry(
  kind: MetaKind,
  key: string,
  { retentionDays, now, lifetimeDays }: RecordLifetime,
): number | undefined {
  const days = lifetimeDays ?? DAYS[kind] ?? (AS_THE_LOG.has(kind) ? retentionDays + LOG_MORE_DAYS : undefined);
  if (days !== undefined) return expiryOf(now, days);
  const keptDays = retentionDays + LOG_MORE_DAYS + 2;
  if (kind === "logHour") return expiryOf(hourBegin(logHourOf(key).hour) ?? now, keptDays);
  if (kind !== "logDay") return undefined;
  const begin = dayBegin(key.slice(key.lastIndexOf("#") + 1));
  return begin === undefined ? undefined : expiryOf(begin, keptDays);
}
