import type { Attempt } from "../../explain/answer-document.ts";
import { specOf } from "../../explain/derived-job.ts";
import { presentAttempt } from "../../explain/present-attempt.ts";
import { presentUsage } from "../../explain/usage/present-usage.ts";
import { countIndexes, unionIndexes } from "../../job/accounting/index-set.ts";
import { indexesOf } from "../../job/accounting/index-bag.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { decodePodUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { sumOfUsage, ungrouped } from "../../job/usage/usage.ts";
import { UsageSearch } from "../../job/usage/usage-search.ts";
import { clusterLogs } from "../log-links/log-links.ts";
import type { Paged } from "../list/page.ts";
import type { QueryPorts } from "../ports.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { derivedTimes, type LoadedJob, loadJob, rulesOf } from "./load-job.ts";

/** A page with one Pod of a Job, with what it requested and what became of the time that it reserved. */
export async function listJobPod(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  { podUid, now }: { readonly podUid: string; readonly now: Instant },
): Promise<Paged<Attempt> | UnknownJob> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const uid = decodePodUid(podUid);
  const pod = uid && (await loaded.pod(uid));
  return { outcome: "listed", items: pod === undefined ? [] : [await inDetail(ports, loaded, { pod, now })] };
}

async function inDetail(
  { logLinks }: Pick<QueryPorts, "logLinks">,
  loaded: LoadedJob,
  { pod, now }: { readonly pod: PodRecord; readonly now: Instant },
): Promise<Attempt> {
  const { view, clusterContext, cluster } = loaded;
  const rules = rulesOf(loaded);
  const spec = specOf(view.job);
  const context = { job: view.job, clusterContext, rules };
  const requests = pod.reserved?.at(-1)?.requests;
  const mayBeSurplus = firstEnd(pod)?.phase === "Succeeded" && hasSurplus(await view.tally(rules), spec);
  const search = new UsageSearch({ ...context, spec, ...derivedTimes(loaded, now) });
  search.visit(pod);
  const usage = mayBeSurplus ? undefined : ungrouped(search.found());
  return {
    ...presentAttempt(pod, { ...context, logs: clusterLogs(logLinks, cluster) }),
    ...(requests !== undefined && { requests }),
    ...(usage !== undefined && { usage: presentUsage(sumOfUsage(usage.values())) }),
  };
}

/** Whether the Job has successes that do not count. Which ones depends on all of its Pods. */
function hasSurplus(
  { outcomes, completed, completedBefore }: PodTally,
  { completionMode, completions }: JobSpec,
): boolean {
  if (completionMode !== "Indexed") return outcomes.Succeeded > (completions ?? Number.POSITIVE_INFINITY);
  return outcomes.Succeeded > countIndexes(unionIndexes(indexesOf(completed), indexesOf(completedBefore)));
}
