import { createHash } from "node:crypto";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatMillis, type Instant, parseInstant } from "../../job/model/instant.ts";
import type { LogKey } from "../../ports/log.ts";
import { dayOfKey, keyIn } from "../../segment/segment-key.ts";

/** How far a reader has read one cluster's log. */
export interface LogPosition {
  /** A key or its prefix. All segments up to it were returned; only late ones can still arrive there. */
  readonly floor: string;
  /**
   * The {@link segmentMark} of returned segments after the floor, and of earlier ones whose late arrival is not handled
   * yet. More segments may still arrive between them.
   */
  readonly given: readonly string[];
  /** Late segments that arrived up to this instant were returned. */
  readonly lateUntil: Instant;
}

/** The position of a reader that starts at `instant`. */
export function positionAt(instant: Instant): LogPosition {
  return { floor: floorAt(instant), given: [], lateUntil: instant };
}

/** A key between the segments sealed before `instant` and those sealed at it or later. */
export function floorAt(instant: Instant): string {
  return formatMillis(instant);
}

/** Where to start in the log of a day: at the floor, or at the first item if the floor is on another day. */
export function startIn(cluster: ClusterName, day: string, floor: string): LogKey | undefined {
  return dayOfKey(floor) === day ? keyIn(cluster, floor) : undefined;
}

/**
 * Four bytes of a hash. For a few hundred segments after a floor, a collision occurs in one of ten million positions.
 */
export function segmentMark(sk: string): string {
  return createHash("sha256").update(sk).digest().subarray(0, 4).toString("base64url");
}

/** The position as text, for a cursor: `floor|lateUntil|given`. */
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
