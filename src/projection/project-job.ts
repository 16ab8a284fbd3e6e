import type { JobKey, JobStore } from "../ports/jobs.ts";
import type { MetaStore } from "../ports/meta.ts";
import { decodeHeldJob, heldNothing } from "./held-job.ts";
import { pagesOf } from "./job-pages.ts";
import { rowOf } from "./job-row.ts";
import { type JobDelta, joinHeldJob } from "./join-held-job.ts";
import { noteNamespace } from "./project-cluster.ts";
import { type Retry, untilWritten } from "./retry.ts";

/** Joins what segments say of a Job into its state: read, join, write on condition; again where another writer came between. */
export async function projectJob(
  { jobs, meta }: { readonly jobs: JobStore; readonly meta: MetaStore },
  key: JobKey,
  delta: JobDelta,
  retry: Retry,
): Promise<"written" | "unchanged"> {
  return untilWritten(`Job ${key.jobUid}`, retry, async () => {
    const stored = await jobs.read(key);
    const held = stored === undefined ? heldNothing(key.jobUid) : decodeHeldJob(key.jobUid, stored.bytes);
    const joined = await joinHeldJob(held, delta, pagesOf(jobs, key));
    if (joined === undefined) return "unchanged";
    const row = rowOf(key.cluster, joined.held);
    // The namespace before the Job: a Job in a namespace that no list knows of would be hidden.
    const isUnlisted = row !== undefined && row.namespace !== stored?.row?.namespace;
    if (isUnlisted) await noteNamespace(meta, key.cluster, row.namespace);
    const state = { bytes: joined.bytes, ...(row === undefined ? {} : { row }) };
    return (await jobs.write(key, state, stored?.version ?? 0)).outcome;
  });
}
