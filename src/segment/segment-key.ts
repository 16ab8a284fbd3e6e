import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { formatMillis, type Instant, parseInstant, utcDay } from "../job/model/instant.ts";

/** What names a segment: no two segments of a cluster have the same. */
export interface SegmentName {
  readonly cluster: ClusterName;
  readonly sealedAt: Instant;
  /** One run of one exporter, chosen by it: see {@link isSession}. */
  readonly session: string;
  /** Counts the segments of a session: see {@link isSequence}. */
  readonly sequence: number;
}

/** Where a segment lies in the log: `cluster#yyyymmdd`, then `sealedAt#session#sequence`. */
export interface SegmentKey {
  readonly pk: string;
  readonly sk: string;
}

const SEQUENCE_DIGITS = 10;

/** Whether `text` names a session: 16 characters of `[0-9a-z]`, for example 16 hex digits. All are equally long, so that keys sort by time. */
export function isSession(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-z]{16}$/.test(text);
}

/**
 * Whether the facts of a segment had arrived when it was sealed, so that `sealedAt` bounds them from above. True for what an exporter sealed (it names
 * the cluster's uid) and for a recording with arrival times. Other recordings are sealed with the latest instant that their objects name.
 */
export function isSealedOnArrival({ session, kubeSystemUid }: { session: string; kubeSystemUid?: string }): boolean {
  return kubeSystemUid !== undefined || session.startsWith(ARRIVAL_SESSION);
}
/** The first letter of a session that imports facts with their arrival times. Other imports have hexadecimal names. */
export const ARRIVAL_SESSION = "t";

/** Whether `number` is a sequence: whole, at least 0, of at most 10 digits. */
export function isSequence(number: unknown): number is number {
  return Number.isSafeInteger(number) && Number(number) >= 0 && String(number).length <= SEQUENCE_DIGITS;
}

/** Whether `instant` can be when a segment was sealed: from 1970 to the end of 9999. */
export function isSealedAt(instant: unknown): instant is Instant {
  return (
    Number.isSafeInteger(instant) && Number(instant) >= 0 && parseInstant(formatMillis(Number(instant))) === instant
  );
}

/** Keys of one cluster sort as text in the order in which their segments were sealed: all parts have fixed widths. */
export function segmentKey({ cluster, sealedAt, session, sequence }: SegmentName): SegmentKey {
  const counted = String(sequence).padStart(SEQUENCE_DIGITS, "0");
  return keyIn(cluster, `${formatMillis(sealedAt)}#${session}#${counted}`);
}

/** The key of a cluster's segment with the sort key `sk`, which begins with the instant that names the day. */
export function keyIn(cluster: ClusterName, sk: string): SegmentKey {
  return { pk: dayPartition(cluster, dayOfKey(sk)), sk };
}

/** Where a cluster's segments of one UTC day, `yyyymmdd`, lie. */
export function dayPartition(cluster: ClusterName, day: string): string {
  return `${cluster}#${day}`;
}

/** The UTC day of a sort key, or of the beginning of one that holds its instant: `yyyymmdd`. */
export function dayOfKey(sk: string): string {
  return utcDay(sealedAtOf(sk));
}

/** The instant that a sort key, or the beginning of one, names; 1970 where it names none. */
export function sealedAtOf(sk: string): Instant {
  return parseInstant(sk.split("#", 1)[0]) ?? 0;
}

/** The inverse of {@link segmentKey}; `undefined` where `key` was not made by it. */
export function decodeSegmentKey(key: SegmentKey): SegmentName | undefined {
  const cluster = decodeClusterName(key.pk.slice(0, key.pk.lastIndexOf("#")));
  const [time, session, counted] = key.sk.split("#");
  const sealedAt = parseInstant(time);
  const sequence = Number(counted);
  if (cluster === undefined || !isSealedAt(sealedAt) || !isSession(session) || !isSequence(sequence)) return undefined;
  const name = { cluster, sealedAt, session, sequence };
  const made = segmentKey(name);
  return made.pk === key.pk && made.sk === key.sk ? name : undefined;
}
