import type { CronJobRecord } from "../../job/model/cluster-record.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import type { CronFindingAnswer } from "./cron-finding-answer.ts";
import { mayRead, type Scope } from "../access/scope.ts";

/** A CronJob as it was last observed. */
export interface CronJobAnswer {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt?: string;
  readonly deletedAt?: string;
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly suspend?: boolean;
  readonly concurrencyPolicy?: string;
  readonly lastScheduledAt?: string;
  readonly lastSuccessfulAt?: string;
  /** What its last runs and due times show. Only in a list of CronJobs with findings. */
  readonly findings?: readonly CronFindingAnswer[];
}

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
  const prefix = ofCluster(cluster);
  for await (const { value: record } of listDecoded(meta, cronJobRecord, prefix)) {
    const answer = describeCronJob(cluster, record);
    if (answer !== undefined && mayRead(scope, cluster, answer.namespace)) found.push({ answer, record });
  }
  return found;
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
