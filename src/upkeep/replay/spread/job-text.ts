import { hash } from "node:crypto";
import { decodeClusterName, decodeJobUid } from "../../../job/model/ids.ts";
import type { JobKey } from "../../../ports/jobs.ts";

/** Names a Job. The name of a cluster has no `#`. */
export function jobText({ cluster, jobUid }: JobKey): string {
  return `${cluster}#${jobUid}`;
}

/** The inverse of {@link jobText}; `undefined` for another text. */
export function decodeJobText(text: string): JobKey | undefined {
  const at = text.indexOf("#");
  const cluster = decodeClusterName(text.slice(0, Math.max(0, at)));
  const jobUid = decodeJobUid(text.slice(at + 1));
  return cluster !== undefined && jobUid !== undefined ? { cluster, jobUid } : undefined;
}

/** Where a Job belongs: which bucket, and which part of the bucket. Both are uniform, and independent. */
export interface JobPlace {
  readonly bucket: number;
  readonly part: number;
}

export interface Division {
  /** There are 2^bits buckets. */
  readonly bits: number;
  readonly parts: number;
}

export function placeOf(text: string, { bits, parts }: Division): JobPlace {
  const digest = hash("sha256", text, "buffer");
  return { bucket: bits === 0 ? 0 : digest.readUInt32BE(0) >>> (32 - bits), part: digest.readUInt32BE(4) % parts };
}
