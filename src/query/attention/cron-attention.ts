import pLimit from "p-limit";
import { severityOfCronFinding } from "../../explain/attention/severity.ts";
import { compareKinds } from "../../explain/attention/leading-finding.ts";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { type CronFinding, explainCronFinding, RECENT_MISS_MILLIS } from "../../parents/cron-job/cron-findings.ts";
import { GRACE_MILLIS, type Observation } from "../../parents/cron-job/due-runs.ts";
import { isOnTime } from "../../parents/cron-job/is-on-time.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { clusterNames } from "../clusters/clusters.ts";
import { eachCronJob, type KnownCronJob } from "../cron-jobs/cron-jobs.ts";
import { observationOf } from "../cron-jobs/observation.ts";
import { RecentFindings } from "../cron-jobs/recent-findings.ts";
import type { RowPorts } from "../list/list-jobs.ts";
import type { AttentionPart } from "./attention-groups.ts";

export interface CronAttentionQuery {
  readonly cluster?: ClusterName | undefined;
  readonly namespace?: string | undefined;
  readonly now: Instant;
}

export interface CronAttention {
  readonly parts: readonly AttentionPart[];
  /** How many CronJobs were not examined. */
  readonly omitted: number;
}

/** How many CronJobs one answer examines: each takes a few reads. */
const MAX_EXAMINED = 100;
/** Clusters or CronJobs that are read at the same time. */
const AT_ONCE = 16;

/** The CronJobs that need attention. Those that are on time by their own status are not examined. */
export async function cronAttention(ports: RowPorts, scope: Scope, query: CronAttentionQuery): Promise<CronAttention> {
  const { cluster, namespace, now } = query;
  const clusters = await clusterNames(ports.meta, scope, cluster);
  const late = await pLimit(AT_ONCE).map(clusters, async (name) => {
    const known: KnownCronJob[] = [];
    for await (const cronJob of eachCronJob(ports.meta, name, { isEventual: true })) {
      const { deletedAt, namespace: of } = cronJob.answer;
      if (deletedAt === undefined && (namespace ?? of) === of && mayRead(scope, name, of)) known.push(cronJob);
    }
    if (known.length === 0) return [];
    const observation = await observationOf(ports.meta, name, now);
    return known.filter((cronJob) => isLate(cronJob, observation)).map((cronJob) => ({ cronJob, observation }));
  });
  const candidates = late.flat();
  const recent = new RecentFindings();
  const found = await pLimit(AT_ONCE).map(candidates.slice(0, MAX_EXAMINED), async ({ cronJob, observation }) =>
    partOf(cronJob, await recent.of(ports, cronJob, observation), now),
  );
  return {
    parts: found.filter((part) => part !== undefined),
    omitted: Math.max(0, candidates.length - MAX_EXAMINED),
  };
}

/** Whether a CronJob may have findings: its last run did not succeed, or a run is missing. */
function isLate({ record }: KnownCronJob, { heardAt, now }: Observation): boolean {
  const until = Math.min(heardAt, now);
  return !isOnTime(record, { since: until - RECENT_MISS_MILLIS, until: until - GRACE_MILLIS });
}

function partOf({ answer }: KnownCronJob, findings: readonly CronFinding[], now: Instant): AttentionPart | undefined {
  const [first] = findings.toSorted((a, b) => compareKinds(a.kind, b.kind));
  if (first === undefined) return undefined;
  const { cluster, namespace, name, uid } = answer;
  const { kind } = first;
  return {
    cluster: decodeClusterName(cluster) ?? cluster,
    namespace,
    group: { type: "series", kind: "CronJob", name, uid },
    kind,
    severity: severityOfCronFinding(kind),
    message: explainCronFinding(first),
    at: Math.min(now, first.kind === "MissedRun" ? first.lastDueAt : first.since),
    otherKinds: findings.filter((finding) => finding !== first).map((finding) => finding.kind),
    finding: first,
  };
}
