import { hintKey } from "../../job/model/cluster-context.ts";
import {
  type ClusterFact,
  type Fact,
  isHintFact,
  isJobFact,
  isNamespaceFact,
  isRunFact,
  type NamespaceFact,
} from "../../job/model/fact.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { isAboutJob } from "../../query/job/is-about-job.ts";
import type { LoadedJob } from "../../query/job/load-job.ts";

/**
 * Whether an answer about the Job depends on a fact: on facts about the Job and its Pods, their Nodes, hints and gaps.
 */
export function isEvidenceOf(record: JobRecord, { clusterContext }: LoadedJob): (fact: Fact) => boolean {
  const { hints, nodes, cronJobs = new Map<string, unknown>() } = clusterContext;
  const isAbout = isAboutJob(record);
  const isAround = (fact: Exclude<ClusterFact, NamespaceFact>): boolean => {
    if (isHintFact(fact)) return hints.has(hintKey(fact.target)) && isAbout(fact);
    switch (fact.kind) {
      case "NodeObserved":
      case "NodeDeleted":
        return nodes.has(fact.node);
      case "CronJobObserved":
      case "CronJobDeleted":
        return cronJobs.has(fact.cronJobUid);
      case "GapRecorded":
      case "ClusterObserved":
        return true;
    }
  };
  return (fact) => {
    if (isJobFact(fact)) return fact.jobUid === record.job.uid;
    return !isRunFact(fact) && !isNamespaceFact(fact) && isAround(fact);
  };
}
