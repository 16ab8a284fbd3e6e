import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { formatMillis, type Instant, parseInstant, utcDay } from "../job/model/instant.ts";

/** The unique name of a segment within its cluster. */
export interface SegmentName {
  readonly cluster: ClusterName;
  readonly sealedAt: Instant;
  /** One run of one exporter, which chooses the name: see {@link isSession}. */
  readonly session: string;
  /** The number of the segment within its session: see {@link isSequence}. */
  readonly sequence: number;
}

/** The key of a segment in the log: `cluster#yyyymmdd`, then `sealedAt#session#sequence`. */
export interface SegmentKey {
  readonly pk: string;
  readonly sk: string;
}

const SEQUENCE_DIGITS = 10;

/**
 * Whether `text` is a session: 16 characters of `[0-9a-z]`, for example hex digits. Equal lengths make keys sort
 * by time.
 */
export function isSession(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-z]{16}$/.test(text);
}

/**
 * Whether the facts of a segment had arrived when it was sealed, so that `sealedAt` is their upper bound.
 * True for segments of an exporter (they name the cluster's uid) and for recordings with arrival times.
 * Other recordings are sealed with the latest instant in their objects.
 */
export function isSealedOnArrival({ session, kubeSystemUid }: { session: string; kubeSystemUid?: string }): boolean {
  return kubeSystemUid !== undefined || session.startsWith(ARRIVAL_SESSION);
}
/**
 * The first character of a session that imports facts with arrival times. Sessions of other imports are
 * hexadecimal.
 */
export const ARRIVAL_SESSION = "t";

/** Whether `number` is a sequence: a whole number from 0, of at most 10 digits. */
export function isSequence(number: unknown): number is number {
  return Number.isSafeInteger(number) && Number(number) >= 0 && String(number).length <= SEQUENCE_DIGITS;
}

/** Whether `instant` is a valid sealing time: from 1970 to the end of 9999. */
export function isSealedAt(instant: unknown): instant is Instant {
  return (
    Number.isSafeInteger(instant) && Number(instant) >= 0 && parseInstant(formatMillis(Number(instant))) === instant
  );
}

/** Keys of one cluster sort as text in the order of sealing, because all parts have fixed widths. */
export function segmentKey({ cluster, sealedAt, session, sequence }: SegmentName): SegmentKey {
  const counted = String(sequence).padStart(SEQUENCE_DIGITS, "0");
  return keyIn(cluster, `${formatMillis(sealedAt)}#${session}#${counted}`);
}

/** The key of a cluster's segment with sort key `sk`, whose first part determines the day. */
export function keyIn(cluster: ClusterName, sk: string): SegmentKey {
  return { pk: dayPartition(cluster, dayOfKey(sk)), sk };
}

/** The partition of a cluster's segments of one UTC day (`yyyymmdd`). */
export function dayPartition(cluster: ClusterName, day: string): string {
  return `${cluster}#${day}`;
}

/** The UTC day (`yyyymmdd`) of a sort key or of its first part. */
export function dayOfKey(sk: string): string {
  return utcDay(sealedAtOf(sk));
}

/** The instant of a sort key or of its first part; 1970 if it has none. */
export function sealedAtOf(sk: string): Instant {
  return parseInstant(sk.split("#", 1)[0]) ?? 0;
}

/** The inverse of {@link segmentKey}; `undefined` where `key` is not a segment's key. */
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
