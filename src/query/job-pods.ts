import type { Attempt } from "../job/answer.ts";
import { answerRecord } from "../job/job-answer.ts";
import type { Instant } from "../job/instant.ts";
import type { JobReference, UnknownJob } from "./find-job.ts";
import { type Paged, type PageQuery, pageOfItems } from "./page.ts";
import type { QueryPorts } from "./ports.ts";
import type { Scope } from "./scope.ts";
import { viewJob } from "./view-job.ts";

/** The attempts of a Job, one for each Pod it ever had, in order of creation. */
export async function listJobPods(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  { now, ...query }: PageQuery & { readonly now: Instant },
): Promise<Paged<Attempt> | UnknownJob> {
  const viewed = await viewJob(ports, scope, wanted);
  if (viewed.outcome !== "viewed") return viewed;
  const { cluster, record, surroundings } = viewed;
  const { attempts = [] } = answerRecord(record, { cluster, surroundings, now, attempts: true });
  return pageOfItems(attempts, { pods: record.job.uid }, query, ({ createdAt, uid }) => [createdAt, uid]);
}
