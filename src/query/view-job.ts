import type { Surroundings } from "../job/cluster-record.ts";
import type { ClusterName } from "../job/ids.ts";
import type { JobRecord } from "../job/job-record.ts";
import type { PodRecord } from "../job/pod-record.ts";
import { type JobView, readJob } from "../projection/read-job.ts";
import { findJob, type Generation, type JobReference, type UnknownJob } from "./find-job.ts";
import type { QueryPorts } from "./ports.ts";
import type { Scope } from "./scope.ts";
import { surroundingsOf } from "./surroundings.ts";

/** A Job with what an answer about it needs. */
export interface ViewedJob {
  readonly outcome: "viewed";
  readonly cluster: ClusterName;
  readonly view: JobView;
  readonly record: JobRecord;
  readonly surroundings: Surroundings;
  readonly generations: readonly Generation[];
}

/** Finds a Job and reads it whole; where there is none, what may have been meant. */
export async function viewJob(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<ViewedJob | UnknownJob> {
  const found = await findJob(ports, scope, wanted);
  if (found.outcome !== "found") return found;
  const { cluster } = wanted;
  const view = await readJob(ports.jobs, { cluster, jobUid: found.jobUid });
  // Its row was there a moment ago: only erasing it can have come between.
  if (view === undefined) return { outcome: "unknownJob", near: [], elsewhere: [], generations: found.generations };
  const record = await recordOf(view);
  const surroundings = await surroundingsOf(ports.meta, cluster, record);
  return { outcome: "viewed", cluster, view, record, surroundings, generations: found.generations };
}

async function recordOf(view: JobView): Promise<JobRecord> {
  const pods = new Map<PodRecord["uid"], PodRecord>();
  for await (const pod of view.pods()) pods.set(pod.uid, pod);
  return { job: view.job, pods };
}
