import type { JobUid } from "../job/model/ids.ts";
import { EARLIEST, LATEST } from "../job/model/instant.ts";
import type { ListPosition } from "../ports/jobs.ts";

/** Ten digits of base 36 hold the milliseconds of 10,000 years. */
const DIGITS = 10;
const BASE = 36;

/**
 * The sort key of the lists: how long before the end of all years a Job was created, then its uid. So the newest Job comes first, of the same instant
 * the smaller uid, and read backwards everything is the other way round.
 */
export function encodeCreated({ createdAt, jobUid }: ListPosition): string {
  const before = LATEST - Math.min(LATEST, Math.max(EARLIEST, createdAt));
  return `${before.toString(BASE).padStart(DIGITS, "0")}#${jobUid}`;
}

/** The inverse, of what lies in a table that only {@link encodeCreated} wrote to. */
export function decodeCreated(key: string): ListPosition {
  return {
    createdAt: LATEST - Number.parseInt(key.slice(0, DIGITS), BASE),
    jobUid: key.slice(DIGITS + 1) as JobUid,
  };
}
