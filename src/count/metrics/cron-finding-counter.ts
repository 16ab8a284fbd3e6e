import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Amount, MetricStore } from "../../ports/metric-store.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import { type CronJobAnswer, type KnownCronJob, knownCronJobs } from "../../query/cron-jobs/cron-jobs.ts";
import { observationOf } from "../../query/cron-jobs/observation.ts";
import { RecentFindings } from "../../query/cron-jobs/recent-findings.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { FINDINGS, FINDINGS_TOTAL } from "./metric-families.ts";
import { contributeDueRun } from "./missed-run-counter.ts";

export interface CronFindingPorts extends QueryPorts {
  readonly metrics: MetricStore;
}

/**
 * Adds the findings of each CronJob to the metrics, as well as its last due times: an earlier missed run becomes known
 * when the next one is due.
 */
export class CronFindingCounter {
  readonly #recent = new RecentFindings();

  /** Each kind of finding of a CronJob that is open now, and each kind that it has ever had. */
  async count(ports: CronFindingPorts, now: Instant): Promise<void> {
    const seen: KnownCronJob[] = [];
    for (const cluster of await clusterNames(ports.meta, "everything")) {
      const observation = await observationOf(ports.meta, cluster, now);
      // Without a heartbeat, no run is known to be missed.
      if (!Number.isFinite(observation.heardAt)) continue;
      for (const cronJob of await knownCronJobs(ports.meta, "everything", cluster)) {
        seen.push(cronJob);
        const { findings, due } = await this.#recent.look(ports, cronJob, observation);
        for (const one of due) await contributeDueRun(ports.metrics, { cluster, cronJob: cronJob.answer }, one);
        const kinds = new Set(findings.map(({ kind }) => kind));
        await ports.metrics.contribute(subjectOf(cluster, cronJob), {
          amounts: [...kinds].flatMap((kind) => amountsOf(cronJob.answer, kind)),
          keep: [FINDINGS_TOTAL.number],
          at: observation.heardAt,
        });
      }
    }
    this.#recent.keep(seen);
  }
}

function subjectOf(cluster: ClusterName, { answer }: KnownCronJob) {
  return { cluster, id: `cronfindings/${answer.uid}` };
}

function amountsOf({ cluster, namespace }: CronJobAnswer, kind: string): readonly Amount[] {
  const labels = { cluster, namespace, kind };
  return [
    { series: { family: FINDINGS.number, kind: "gauge", labels }, part: 0, amount: 1 },
    { series: { family: FINDINGS_TOTAL.number, kind: "counter", labels }, part: 0, amount: 1 },
  ];
}
