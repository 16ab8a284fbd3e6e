import type { JobMetricName } from "../../../ports/deployment/metrics.ts";
import type { ClusterName } from "../../../job/model/ids.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { addFigures, figuresByCluster, type JobFigures, publishedFigures } from "./job-figures.ts";
import type { MetricsRecord, PublishedMetrics } from "./metrics-record.ts";

/** `stage`: one metric of each name. `cluster`: also one for each cluster. */
export type JobMetricsBy = "none" | "stage" | "cluster";

export interface PublishedFigures {
  /** @default of the stage */
  readonly cluster?: ClusterName;
  readonly figures: ReadonlyMap<JobMetricName, number>;
}

/**
 * The most clusters with metrics of their own. Each costs as much as the stage (docs/metrics.md). Further clusters
 * count only in the stage's metrics.
 */
const MOST_CLUSTERS = 50;
/** The name of the stage in the list of clusters, whose own names are never empty. */
const STAGE = "";

export interface ToPublish {
  /**
   * Returns what to publish. Record it before publishing: a figure that is published twice counts twice, and a lost one
   * is only missing from one minute.
   */
  readonly published: PublishedMetrics;
  readonly metrics: readonly PublishedFigures[];
}

/**
 * The increase since `before` was published. Without an earlier publication, or after a change of the division by
 * clusters, it starts now.
 */
export async function figuresToPublish(
  meta: MetaStore,
  { of, published: before }: Pick<MetricsRecord, "of" | "published">,
  by: "stage" | "cluster",
): Promise<ToPublish> {
  const clusters = await figuresByCluster(meta, of);
  const named = by === "cluster" ? [...clusters].slice(0, MOST_CLUSTERS) : [];
  const all: readonly (readonly [string, JobFigures])[] = [[STAGE, addFigures(clusters.values())], ...named];
  const isContinued = before?.by === by;
  const metrics = all.map(([name, figures]) => {
    const last = isContinued ? (before.figures[name] ?? []) : figures;
    const cluster = named.find(([each]) => each === name)?.[0];
    return { ...(cluster !== undefined && { cluster }), figures: publishedFigures(figures, last) };
  });
  return { published: { by, figures: Object.fromEntries(all) }, metrics };
}
