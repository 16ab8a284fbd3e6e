import { type CountingRules, countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject, JobRecord } from "../../job/model/job-record.ts";
import { ownPods } from "../../job/model/own-pod.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { type HourlyUsage, ungrouped, type UsageByGroup } from "../../job/usage/usage.ts";
import { UsageSearch } from "../../job/usage/usage-search.ts";
import { recordRules, specOf } from "../derived-job.ts";

/** When usage is derived, and with what around the Job. */
export interface UsageMoment {
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
}

/**
 * What the Pods of a Job that is over reserved, by hour, without those that have not ended. `undefined` if a Pod does
 * not say what it reserved.
 */
export function usageOfRecord(record: JobRecord, moment: UsageMoment): HourlyUsage | undefined {
  const { clusterContext } = moment;
  const search = endedPods(record.job, { ...moment, rules: recordRules(record, clusterContext) });
  const pods = [...ownPods(record).values()];
  pods.forEach((pod) => search.visit(pod));
  for (let visit = search.nextPass(); visit !== undefined; visit = search.nextPass()) pods.forEach(visit);
  return ungrouped(search.found());
}

/** A Job whose Pods are read page by page. */
export interface PagedJob {
  readonly job: JobObject;
  readonly podTracked: boolean;
  ownPods(): AsyncIterable<PodRecord>;
}

/** The same for a Job of any number of Pods, by the group of each Pod. They are read once, or twice. */
export async function usageByGroup(
  paged: PagedJob,
  { groupOf, ...moment }: UsageMoment & { readonly groupOf?: (pod: PodRecord) => string },
): Promise<UsageByGroup | undefined> {
  const { job, podTracked } = paged;
  const { serverVersion } = moment.clusterContext;
  const rules = countingRulesOf(job, { podTracked, serverVersion });
  const search = endedPods(job, { ...moment, rules }, groupOf);
  for await (const pod of paged.ownPods()) search.visit(pod);
  for (let visit = search.nextPass(); visit !== undefined; visit = search.nextPass()) {
    for await (const pod of paged.ownPods()) visit(pod);
  }
  return search.found();
}

function endedPods(
  job: JobObject,
  around: UsageMoment & { readonly rules: CountingRules },
  groupOf?: (pod: PodRecord) => string,
): UsageSearch {
  return new UsageSearch({ ...around, job, spec: specOf(job), endedOnly: true }, groupOf);
}
