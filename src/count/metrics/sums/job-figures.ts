import type { ClusterName } from "../../../job/model/ids.ts";
import type { JobMetricName } from "../../../ports/deployment/metrics.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { storedScheduleSeries } from "../schedules/schedule-series.ts";
import {
  ATTEMPTS,
  CRON_JOB_MISSED_RUNS,
  FINDINGS,
  FINDINGS_TOTAL,
  JOB_DURATION,
  JOBS,
  JOBS_FINISHED,
  type MetricFamily,
  WASTED_SECONDS,
} from "../metric-families.ts";
import { readParts } from "./metric-parts.ts";

/** How a metric of CloudWatch follows from series of the exposition. */
interface Figure {
  readonly family: MetricFamily;
  /** The series to include: those with these labels. @default all of the family */
  readonly labels?: Labels;
  /** For a counter, the increase since the last publication is published. */
  readonly isCounter: boolean;
}

const FIGURES: Readonly<Record<JobMetricName, Figure>> = {
  JobsComplete: { family: JOBS_FINISHED, labels: { state: "Complete" }, isCounter: true },
  JobsFailed: { family: JOBS_FINISHED, labels: { state: "Failed" }, isCounter: true },
  JobsDeleted: { family: JOBS_FINISHED, labels: { state: "Deleted" }, isCounter: true },
  JobSeconds: { family: JOB_DURATION, isCounter: true },
  FailedAttempts: { family: ATTEMPTS, labels: { outcome: "Failed" }, isCounter: true },
  NewFindings: { family: FINDINGS_TOTAL, isCounter: true },
  WastedSeconds: { family: WASTED_SECONDS, isCounter: true },
  RunningJobs: { family: JOBS, labels: { state: "Running" }, isCounter: false },
  WaitingJobs: { family: JOBS, labels: { state: "Pending" }, isCounter: false },
  OpenFindings: { family: FINDINGS, isCounter: false },
  MissedRuns: { family: CRON_JOB_MISSED_RUNS, isCounter: true },
};

/** The names in the order of {@link JobFigures}. */
export const JOB_METRICS = Object.keys(FIGURES).filter((name): name is JobMetricName => name in FIGURES);

/** A number for each of {@link JOB_METRICS}, as it is stored: durations in milliseconds. */
export type JobFigures = readonly number[];

/** The figures of each cluster. */
export async function figuresByCluster(
  meta: MetaStore,
  projection: ProjectionName,
): Promise<ReadonlyMap<ClusterName, JobFigures>> {
  const figures = new Map<ClusterName, JobFigures>();
  for (const cluster of await clusterNames(meta, "everything")) {
    const parts = await readParts({ meta, projection, cluster }, { isEventual: true });
    const ofCronJobs = await storedScheduleSeries(meta, cluster);
    const shown = [...parts.flatMap(({ table }) => table.shown()), ...ofCronJobs];
    const sum = ({ family, labels = {} }: Figure) =>
      shown
        .filter((series) => series.family === family.number && hasLabels(series.labels, labels))
        .reduce((total, series) => total + (series.parts.get(0) ?? 0), 0);
    figures.set(
      cluster,
      JOB_METRICS.map((name) => sum(FIGURES[name])),
    );
  }
  return figures;
}

function hasLabels(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

export function addFigures(all: Iterable<JobFigures>): JobFigures {
  const total = JOB_METRICS.map(() => 0);
  for (const figures of all) for (const [at, number] of figures.entries()) total[at] = (total[at] ?? 0) + number;
  return total;
}

/** What to publish: the value of gauges, and the increase of counters since `before`. */
export function publishedFigures(figures: JobFigures, before: JobFigures): ReadonlyMap<JobMetricName, number> {
  return new Map(
    JOB_METRICS.map((name, at) => {
      const { family, isCounter } = FIGURES[name];
      const number = figures[at] ?? 0;
      const added = isCounter ? Math.max(0, number - (before[at] ?? 0)) : number;
      return [name, added / (family.divisor ?? 1)];
    }),
  );
}
