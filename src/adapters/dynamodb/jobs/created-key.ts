import type { JobUid } from "../../../job/model/ids.ts";
import { EARLIEST, type Instant, LATEST } from "../../../job/model/instant.ts";
import type { ListPosition } from "../../../ports/job-row.ts";

/** Ten digits of base 36 represent the milliseconds of 10,000 years. */
const DIGITS = 10;
const BASE = 36;

/**
 * The sort key of the lists: the time from a Job's creation to the end of the year 9999, then its uid. The newest Job
 * comes first, and Jobs of the same instant are in the order of their uids. A backwards query reverses both.
 */
export function encodeCreated({ createdAt, jobUid }: ListPosition): string {
  return `${createdPrefix(createdAt)}${jobUid}`;
}

/** What the keys of all Jobs of an instant begin with. */
export function createdPrefix(createdAt: Instant): string {
  const before = LATEST - Math.min(LATEST, Math.max(EARLIEST, createdAt));
  return `${before.toString(BASE).padStart(DIGITS, "0")}#`;
}

/** The inverse of {@link encodeCreated}. */
export function decodeCreated(key: string): ListPosition {
  return {
    createdAt: LATEST - Number.parseInt(key.slice(0, DIGITS), BASE),
    jobUid: key.slice(DIGITS + 1) as JobUid,
  };
}
