import type { Retry } from "../concurrency/retry.ts";
import type { JobKey, JobStore, StoredJob } from "../ports/jobs.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { type JobGroup, segmentsOf } from "./group-facts.ts";
import { decodeJobState, type JobState, emptyJobState } from "./job-state/job-state.ts";
import { pagesOf } from "./pages/job-pages.ts";
import { rowOf } from "./job-state/job-row.ts";
import { type JobDelta, joinJobState } from "./job-state/join-job-state.ts";
import { collectWaiting, isLarge, noteForLater, type WriteCoalescing } from "./write-coalescing.ts";
import { noteNamespace } from "./project-cluster.ts";
import { untilWritten } from "./until-written.ts";

export interface JobPorts {
  readonly jobs: JobStore;
  readonly meta: MetaStore;
  /** How often large Jobs are written, and in which projection. @default whenever something comes */
  readonly paced?: { readonly by: WriteCoalescing; readonly projection: ProjectionName };
}

/** `noted`: it is folded a moment later, with what comes until then. */
export type JobOutcome = "written" | "unchanged" | "noted";

/** Joins what segments say of a Job into its state: read, join, write on condition; again where another writer came between. */
export async function projectJob(ports: JobPorts, group: JobGroup, retry: Retry): Promise<JobOutcome> {
  const { key } = group;
  return untilWritten(`Job ${key.jobUid}`, retry, async () => {
    const stored = await ports.jobs.read(key);
    const held = stored === undefined ? emptyJobState(key.jobUid) : decodeJobState(key.jobUid, stored.bytes);
    const fold = (delta: JobDelta) => foldInto(ports, key, { stored, held, delta });
    const { paced } = ports;
    if (paced === undefined || !isLarge(held, stored)) return fold(deltaOf(group));
    const job = { ...ports, projection: paced.projection, held, group };
    switch (paced.by.kind) {
      case "note":
        return (await noteForLater(job, paced.by.calls)) ?? fold(deltaOf(group));
      case "collect": {
        const { delta, settle } = await collectWaiting(job, paced.by.log);
        const folded = await fold(delta);
        return folded === "conflict" || (await settle()) === "conflict" ? "conflict" : folded;
      }
    }
  });
}

function deltaOf(group: JobGroup): JobDelta {
  return { facts: group.facts, segments: segmentsOf(group) };
}

interface Fold {
  readonly stored: StoredJob | undefined;
  readonly held: JobState;
  readonly delta: JobDelta;
}

async function foldInto(
  { jobs, meta }: JobPorts,
  key: JobKey,
  { stored, held, delta }: Fold,
): Promise<"written" | "unchanged" | "conflict"> {
  const joined = await joinJobState(held, delta, pagesOf(jobs, key));
  if (joined === undefined) return "unchanged";
  const row = rowOf(key.cluster, joined.held);
  // The namespace before the Job: a Job in a namespace that no list knows of would be hidden.
  const isUnlisted = row !== undefined && row.namespace !== stored?.row?.namespace;
  if (isUnlisted) await noteNamespace(meta, key.cluster, row.namespace);
  const state = { bytes: joined.bytes, ...(row === undefined ? {} : { row }) };
  return (await jobs.write(key, state, stored?.version ?? 0)).outcome;
}
