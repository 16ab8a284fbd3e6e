import type { GapRecorded } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { labelValue } from "../../ports/bounded-labels.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Contribution, MetricStore } from "../../ports/metric-store.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import { CRON_JOB_LAST_SUCCESS, GAP_SECONDS } from "./metric-families.ts";

/**
 * Adds the gaps and CronJobs of all clusters to the metrics. They are few, so this is done when metrics are read. A
 * record that was added before changes nothing.
 */
export async function contributeClusters({
  metrics,
  meta,
}: {
  readonly metrics: MetricStore;
  readonly meta: MetaStore;
}): Promise<void> {
  for (const cluster of await clusterNames(meta, "everything")) {
    for await (const { value: gap } of listDecoded(meta, gapRecord, ofCluster(cluster))) {
      await metrics.contribute({ cluster, id: `gap/${gap.gapId}` }, gapContribution(cluster, gap));
    }
    for await (const { value } of listDecoded(meta, cronJobRecord, ofCluster(cluster))) {
      const contribution = cronJobContribution(cluster, value);
      if (contribution !== undefined) {
        await metrics.contribute({ cluster, id: `cronjob/${value.cronJobUid}` }, contribution);
      }
    }
  }
}

function gapContribution(cluster: ClusterName, { from, to }: GapRecorded): Contribution {
  const series = { family: GAP_SECONDS.number, kind: "counter", labels: { cluster } } as const;
  return { amounts: [{ series, part: 0, amount: Math.max(0, to - from) }], at: to };
}

/** What the CronJob's own status reports. Its Jobs contribute the same instant, if they were observed. */
function cronJobContribution(cluster: ClusterName, { observed }: CronJobRecord): Contribution | undefined {
  if (observed?.lastSuccessfulAt === undefined) return undefined;
  const { namespace, name, lastSuccessfulAt, at } = observed;
  const labels = { cluster, namespace, cronjob: labelValue(name) };
  const series = { family: CRON_JOB_LAST_SUCCESS.number, kind: "latest", labels } as const;
  return { amounts: [{ series, part: 0, amount: lastSuccessfulAt }], at };
}
