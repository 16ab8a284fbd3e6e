import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { listRecords, type RecordRange } from "../../ports/list-records.ts";
import { cronJobKey, ofCluster } from "../../ports/meta-key.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { CRON_FINDING_KINDS, type CronFinding, explainCronFinding } from "../../parents/cron-job/cron-findings.ts";

export const cronFindingSchema = v.object({
  kind: v.picklist(CRON_FINDING_KINDS),
  message: text,
  since: instant,
});
export type CronFindingAnswer = AnswerOf<typeof cronFindingSchema>;

export const cronJobSchema = v.pipe(
  v.object({
    cluster: text,
    namespace: text,
    name: text,
    uid: text,
    createdAt: maybe(instant),
    deletedAt: maybe(instant),
    schedule: maybe(text),
    timeZone: maybe(text),
    suspend: maybe(v.boolean()),
    concurrencyPolicy: maybe(text),
    lastScheduledAt: maybe(instant),
    lastSuccessfulAt: maybe(instant),
    findings: maybe(
      v.pipe(
        v.array(cronFindingSchema),
        v.description("Only with `attention`: what its last runs and due times show."),
      ),
    ),
  }),
  v.description("A CronJob as it was last observed."),
);
export type CronJobAnswer = AnswerOf<typeof cronJobSchema>;

/** A CronJob as it is described, and its record. */
export interface KnownCronJob {
  readonly answer: CronJobAnswer;
  readonly record: CronJobRecord;
}

/** The CronJobs of a cluster that the reader may see, with their records. */
export async function knownCronJobs(
  meta: MetaStore,
  scope: Scope,
  cluster: ClusterName,
): Promise<readonly KnownCronJob[]> {
  const found: KnownCronJob[] = [];
  for await (const cronJob of eachCronJob(meta, cluster)) {
    if (mayRead(scope, cluster, cronJob.answer.namespace)) found.push(cronJob);
  }
  return found;
}

export interface CronJobRange extends Pick<RecordRange, "isEventual"> {
  /** Only those whose uids follow this one. */
  readonly afterUid?: string | undefined;
}

/** The CronJobs of a cluster in the order of their uids. */
export async function* eachCronJob(
  meta: MetaStore,
  cluster: ClusterName,
  { afterUid, isEventual = false }: CronJobRange = {},
): AsyncGenerator<KnownCronJob> {
  const after = afterUid === undefined ? undefined : cronJobKey(cluster, afterUid);
  for await (const stored of listRecords(meta, "cronjob", { prefix: ofCluster(cluster), after, isEventual })) {
    const record = cronJobRecord.decode(stored);
    const answer = describeCronJob(cluster, record);
    if (answer !== undefined) yield { answer, record };
  }
}

function describeCronJob(
  cluster: string,
  { cronJobUid: uid, observed, deleted }: CronJobRecord,
): CronJobAnswer | undefined {
  const known = observed ?? deleted;
  if (known === undefined) return undefined;
  const { namespace, name } = known;
  return {
    cluster,
    namespace,
    name,
    uid,
    ...(deleted && { deletedAt: formatInstant(deleted.at) }),
    ...(observed && {
      createdAt: formatInstant(observed.createdAt),
      schedule: observed.schedule,
      ...(observed.timeZone !== undefined && { timeZone: observed.timeZone }),
      suspend: observed.suspend,
      concurrencyPolicy: observed.concurrencyPolicy,
      ...(observed.lastScheduledAt !== undefined && { lastScheduledAt: formatInstant(observed.lastScheduledAt) }),
      ...(observed.lastSuccessfulAt !== undefined && { lastSuccessfulAt: formatInstant(observed.lastSuccessfulAt) }),
    }),
  };
}

export function presentCronFinding(finding: CronFinding): CronFindingAnswer {
  const { kind, since } = finding;
  return { kind, message: explainCronFinding(finding), since: formatInstant(since) };
}
