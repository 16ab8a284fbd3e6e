import type { JobAnswer, Why } from "../../explain/answer-document.ts";
import { answerAndWhy } from "../../explain/why-record.ts";
import { type Fact, isJobFact } from "../../job/model/fact.ts";
import { emptyJob, foldJobs } from "../../job/model/job-record.ts";
import type { JobUid } from "../../job/model/ids.ts";
import { foldFacts } from "../../query/job/fold-facts.ts";

export interface FactsOfJob {
  readonly cluster: string;
  readonly jobUid: JobUid;
  readonly facts: readonly Fact[];
}

/** What follows from facts alone: the answer about a Job, with its attempts, and its explanation. */
export async function answerFromFacts({
  cluster,
  jobUid,
  facts,
}: FactsOfJob): Promise<{ readonly answer: JobAnswer; readonly why: Why }> {
  const record = foldJobs(facts).get(jobUid) ?? emptyJob(jobUid);
  const { clusterContext } = await foldFacts(once(facts.filter((fact) => !isJobFact(fact))));
  // Facts about the cluster may be older or newer than the facts about the Job, so only the latter date the answer.
  const dated = facts.filter((fact) => isJobFact(fact) || fact.kind === "ClusterObserved");
  const now = dated.reduce((latest, { at }) => Math.max(latest, at), 0);
  return answerAndWhy(record, { cluster, clusterContext, now, queriedAt: now, attempts: true });
}

async function* once(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}
