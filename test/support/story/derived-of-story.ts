import { type DerivedJob, deriveRecord } from "../../../src/explain/derived-job.ts";
import type { Story } from "./story.ts";

/** The derived Job that follows from a story at its current second. */
export function derivedOf({ record, clusterContext, now }: Story): DerivedJob {
  return deriveRecord(record, { clusterContext, now });
}
