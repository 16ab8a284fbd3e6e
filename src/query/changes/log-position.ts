import { createHash } from "node:crypto";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatMillis, type Instant, parseInstant } from "../../job/model/instant.ts";
import type { LogKey } from "../../ports/log.ts";
import { dayOfKey, keyIn } from "../../segment/segment-key.ts";

/** How far a reader has followed one cluster's log. */
export interface LogPosition {
  /** Every segment with a key up to this one was given, and none is to be expected there but late ones. A key, or the beginning of one. */
  readonly floor: string;
  /** Segments beyond the floor that were given, by {@link segmentMark}: the end of the log may still fill up between them. */
  readonly given: readonly string[];
  /** Late arrivals up to this instant were given. */
  readonly lateUntil: Instant;
}

/** Follows the log from `instant` on. */
export function positionAt(instant: Instant): LogPosition {
  return { floor: floorAt(instant), given: [], lateUntil: instant };
}

/** Before every key of segments sealed at `instant` or later, and behind all before. */
export function floorAt(instant: Instant): string {
  return formatMillis(instant);
}

/** Where a day's log is read from; its first item where the floor is of another day. */
export function startIn(cluster: ClusterName, day: string, floor: string): LogKey | undefined {
  return dayOfKey(floor) === day ? keyIn(cluster, floor) : undefined;
}

/** Four bytes of a hash: two of the few hundred segments beyond a floor are the same in one of ten million positions. */
export function segmentMark(sk: string): string {
  return createHash("sha256").update(sk).digest().subarray(0, 4).toString("base64url");
}

/** One text for a cursor: `floor|lateUntil|given`. */
export function formatPosition({ floor, given, lateUntil }: LogPosition): string {
  return `${floor}|${lateUntil}|${given.join("")}`;
}

const MARK_LENGTH = 6;

export function parsePosition(text: string): LogPosition | undefined {
  const [floor, late, marks, ...rest] = text.split("|");
  const lateUntil = Number(late);
  if (floor === undefined || marks === undefined || rest.length > 0) return undefined;
  if (parseInstant(floor.split("#")[0]) === undefined || !Number.isSafeInteger(lateUntil)) return undefined;
  return { floor, lateUntil, given: marks.match(new RegExp(`.{${MARK_LENGTH}}`, "g")) ?? [] };
}
