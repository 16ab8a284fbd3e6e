import { canonical } from "../job/model/canonical.ts";
import { type MetricsRecord, readMetricsRecord, writeMetricsRecord } from "./metrics/sums/metrics-record.ts";
import { figuresToPublish, type JobMetricsBy, type PublishedFigures } from "./metrics/sums/publish-figures.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName, Projections } from "../ports/projections.ts";
import type { StoredRecord } from "../ports/records/record-codec.ts";
import type { LivePointer } from "../ports/records/live-record.ts";
import type { EarlierProjection } from "./take-over-metrics.ts";
import { type Counted, countJobs, type CountRun, type MetricsOfJobs } from "./count-jobs.ts";

export interface CountedStage {
  readonly meta: MetaStore;
  readonly projections: Projections;
  readonly metrics: JobMetricSettings;
}

/** How Jobs contribute to the metrics of a stage. */
export interface JobMetricSettings {
  /** The number of series that the Jobs of all clusters have. */
  readonly maxSeries: number;
  /** Which of them are published to CloudWatch. */
  readonly by: JobMetricsBy;
}

export interface CountedProjections {
  readonly counted: Readonly<Record<ProjectionName, Counted>>;
  /** How the projection that answers contributes to the metrics from now on. */
  readonly live: MetricsOfJobs;
  /** What is to be published to CloudWatch. */
  readonly published: readonly PublishedFigures[];
}

/**
 * Counts the new writes of both projections: the idle one may be rebuilt, and answers later. The metrics follow the one
 * that answers.
 */
export async function countProjections(
  stage: CountedStage,
  pointer: LivePointer,
  run: CountRun,
): Promise<CountedProjections> {
  const stored = await readMetricsRecord(stage.meta);
  const shown = stored?.value.of ?? pointer.live;
  const { counted, ofShown, of } = await countBoth(stage, { ...pointer, shown }, run);
  const live = { isShown: of === pointer.live, maxSeries: stage.metrics.maxSeries };
  if (ofShown.outcome === "held") return { counted, live, published: [] };
  const record = { ...stored?.value, of };
  return { counted, live, published: await recordMetrics(stage, record, stored) };
}

interface ShownPointer extends LivePointer {
  /** The projection whose metrics are shown. */
  readonly shown: ProjectionName;
}

async function countBoth(
  { meta, projections, metrics: { maxSeries } }: CountedStage,
  { live, switchedAt, shown }: ShownPointer,
  run: CountRun,
) {
  const count = (projection: ProjectionName, takesOver?: EarlierProjection) => {
    const metrics = { isShown: shown === projection, maxSeries, takesOver };
    return countJobs({ meta, projection, metrics }, { ...run, eager: run.eager === true || shown !== live });
  };
  // The earlier projection comes first: the other one continues from its metrics.
  const ofIdle = await count(live === "A" ? "B" : "A");
  const isDue = shown !== live && ofIdle.outcome === "counted" && ofIdle.behindMillis === 0;
  const stores = { earlierJobs: projections.open(shown), earlierRuns: projections.runs(shown) };
  const earlier = isDue ? { earlier: shown, ...stores, switchedAt } : undefined;
  const ofLive = await count(live, earlier);
  const of = ofLive.tookOver ? live : shown;
  const counted = live === "A" ? { A: ofLive, B: ofIdle } : { A: ofIdle, B: ofLive };
  return { counted, of, ofShown: counted[of] };
}

/** Returns what is to be published. It was recorded before, so that no other process publishes it. */
async function recordMetrics(
  { meta, metrics: { by } }: CountedStage,
  record: MetricsRecord,
  stored: StoredRecord<MetricsRecord> | undefined,
): Promise<readonly PublishedFigures[]> {
  const toPublish = by === "none" ? undefined : await figuresToPublish(meta, record, by);
  const written = { ...record, ...(toPublish && { published: toPublish.published }) };
  const isSame = stored !== undefined && canonical(written) === canonical(stored.value);
  const isFirst = isSame || (await writeMetricsRecord(meta, written, stored?.version ?? 0));
  return isFirst && toPublish !== undefined ? toPublish.metrics : [];
}
