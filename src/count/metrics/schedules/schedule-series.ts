import type { ClusterName } from "../../../job/model/ids.ts";
import { labelValue } from "../../../ports/bounded-labels.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels, Series, ShownSeries } from "../../../ports/metric-store.ts";
import { CRON_JOB_MISSED_RUNS, FINDINGS, FINDINGS_TOTAL } from "../metric-families.ts";
import { seriesId } from "../sums/amount-sums.ts";
import type { CountedCronJob } from "./counted-cron-job.ts";
import { readScheduleParts, type SchedulePart } from "./schedule-part.ts";

/** The series of the CronJobs of a cluster, as they are stored. A damaged part is left out: verify names it. */
export async function storedScheduleSeries(meta: MetaStore, cluster: ClusterName): Promise<readonly ShownSeries[]> {
  const parts = await readScheduleParts(meta, cluster, { isEventual: true, onDamaged: () => undefined });
  return scheduleSeries(
    cluster,
    parts.map(({ part }) => part),
  );
}

/** What the CronJobs of a cluster add to the metrics. A finding that is over keeps a gauge with value 0. */
export function scheduleSeries(cluster: ClusterName, parts: readonly SchedulePart[]): readonly ShownSeries[] {
  const shown = new Map<string, ShownSeries>();
  const add = (series: Series, amount: number) => {
    const id = seriesId(series);
    shown.set(id, { ...series, parts: new Map([[0, (shown.get(id)?.parts.get(0) ?? 0) + amount]]) });
  };
  const addFindings = (labels: Labels, total: number, open: number) => {
    add({ family: FINDINGS.number, kind: "gauge", labels }, open);
    add({ family: FINDINGS_TOTAL.number, kind: "counter", labels }, total);
  };
  for (const { cronJobs, ended } of parts) {
    for (const cronJob of cronJobs) {
      const { namespace, cronJob: name } = shownLabels(cronJob);
      if (cronJob.shown > 0) add(missedRuns({ cluster, namespace, cronjob: name }), cronJob.shown);
      for (const kind of cronJob.kinds) {
        addFindings({ cluster, namespace, kind }, 1, cronJob.open.includes(kind) ? 1 : 0);
      }
    }
    for (const { namespace, cronJob: name, kind, count } of ended) {
      if (name !== undefined) add(missedRuns({ cluster, namespace, cronjob: name }), count);
      if (kind !== undefined) addFindings({ cluster, namespace, kind }, count, 0);
    }
  }
  return [...shown].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, series]) => series);
}

/** The values of the labels under which a CronJob is shown. */
export function shownLabels({ namespace, name, shownAs }: CountedCronJob): Required<CountedCronJob>["shownAs"] {
  return shownAs ?? { namespace, cronJob: labelValue(name) };
}

function missedRuns(labels: Labels): Series {
  return { family: CRON_JOB_MISSED_RUNS.number, kind: "counter", labels };
}
