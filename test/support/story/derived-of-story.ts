import { type DerivedJob, deriveRecord } from "../../../src/job/derived/derived-job.ts";
import type { Story } from "./story.ts";

/** What a story comes to, at its present second. */
export function derivedOf({ record, clusterContext, now }: Story): DerivedJob {
  return deriveRecord(record, { clusterContext, now });
}
