import type { IdleJobs } from "../../../ports/projections.ts";
import type { JobKey, PageOwner } from "../../../ports/jobs.ts";
import { rowOf } from "../../../projection/job-state/derive-row.ts";
import { decodeJobState, encodeJobState, jobObjectOf, type JobState } from "../../../projection/job-state/job-state.ts";
import { joinWholeStates } from "../../../projection/job-state/join-job-state.ts";
import { latestSegmentAt } from "../../../projection/job-state/segment-set.ts";
import { pagesOf } from "../../../projection/pages/job-pages.ts";
import type { BucketJoiner } from "./join-bucket.ts";
import { lateState, type LateStores } from "./late-state.ts";

/** Joins the partial states of each Job. */
export function joinerOfJobs({ idle, ...late }: Omit<LateStores, "jobs"> & { readonly idle: IdleJobs }): BucketJoiner {
  return {
    kinds: { log: "log", table: "table" },
    join: async (key, partials) => {
      const parts = partials.map((bytes) => decodeJobState(key.jobUid, bytes));
      const { state, bytes } = await joinWholeStates(key.jobUid, parts, pagesOf(idle, ownerOf(key, parts)));
      const row = rowOf(key.cluster, state);
      return { state: { bytes, ...(row && { row }) }, latestAt: latestSegmentAt(state.segments) };
    },
    lateOf: async (key, { bytes }) => {
      const state = await lateState({ ...late, jobs: idle }, key, bytes);
      return state && encodeJobState(state);
    },
  };
}

/** The Job with its name, if it is known. */
function ownerOf(key: JobKey, parts: readonly JobState[]): PageOwner {
  for (const part of parts) {
    const { created } = jobObjectOf(part);
    if (created !== undefined) return { ...key, namespace: created.namespace, name: created.name };
  }
  return key;
}
