import pLimit from "p-limit";
import { expectationOfJob } from "../../explain/expectation/job-expectation.ts";
import { presentExpectation } from "../../explain/expectation/expectation-text.ts";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { currentSpec } from "../../job/model/current-spec.ts";
import { decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { QueryPorts } from "../ports.ts";
import { derivedTimes, loadListedJob } from "./load-job.ts";

const AT_ONCE = 16;

/**
 * Adds to the Jobs of a list how long they will take, if they are in progress and belong to a series. That takes a read
 * of the state and context of each of them, and one of each series.
 */
export async function withExpectations(
  ports: QueryPorts,
  jobs: readonly JobAnswer[],
  now: Instant,
): Promise<readonly JobAnswer[]> {
  const remembered = { ...ports, meta: rememberedMeta(ports.meta) };
  return pLimit(AT_ONCE).map(jobs, (job) =>
    job.verdict.final || job.series === undefined ? job : withExpectation(remembered, job, now),
  );
}

async function withExpectation(ports: QueryPorts, listed: JobAnswer, queriedAt: Instant): Promise<JobAnswer> {
  const { verdict, status } = listed;
  const [cluster, jobUid] = [decodeClusterName(listed.cluster), decodeJobUid(listed.uid)];
  if (cluster === undefined || jobUid === undefined) return listed;
  const loaded = await loadListedJob(ports, { cluster, jobUid });
  const job = loaded?.view.job;
  const spec = job && currentSpec(job);
  if (loaded === undefined || job === undefined || spec === undefined) return listed;
  const known = { job, pastRuns: await loaded.pastRuns(), clusterContext: loaded.clusterContext };
  const { now } = derivedTimes(loaded, queriedAt);
  const expectation = expectationOfJob({ ...known, now }, { spec, status, state: verdict.state });
  return expectation === undefined ? listed : { ...listed, ...presentExpectation(expectation) };
}
