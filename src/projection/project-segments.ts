import type { JobStore } from "../ports/jobs.ts";
import type { LogKey } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { Projections } from "../ports/projections.ts";
import { type FactGroup, groupFacts, type LoggedSegment } from "./group-facts.ts";
import { readLivePointer } from "./live-projection.ts";
import { type OpenedItem, readLogItem } from "./log-segment.ts";
import { noteCluster, projectClusterFacts } from "./project-cluster.ts";
import { projectJob } from "./project-job.ts";
import type { Retry } from "./retry.ts";

/** What a batch of segments came to. */
export interface ProjectedSegments {
  /** States and records written. */
  readonly written: number;
  /** Jobs and records to which the segments said nothing new. */
  readonly unchanged: number;
  /** Segments of which something could not be folded: fold them again by their keys. The log keeps them. */
  readonly refold: readonly Refold[];
}

export interface Refold {
  readonly key: LogKey;
  readonly cause: unknown;
}

export interface ProjectionPorts {
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

/** Jobs and records folded at once. */
const LANES = 16;

/**
 * Folds log items into a projection: all facts of one Job together, whatever segments they come in. What cannot be folded is told by
 * its log key and harms nothing beside it. Folding an item again changes nothing.
 */
export async function projectSegments(
  ports: ProjectionPorts,
  items: readonly OpenedItem[],
  retry: Retry,
): Promise<ProjectedSegments> {
  const { segments, refold } = readSegments(items);
  const clusters = new Set(segments.map(({ cluster }) => cluster));
  for (const cluster of clusters) await noteCluster(ports.meta, cluster);
  const counts = { written: 0, unchanged: 0 };
  const failed: Refold[] = [...refold];
  const queue = groupFacts(segments).values();
  const lane = async () => {
    for (const group of queue) {
      try {
        counts[await projectGroup(ports, group, retry)] += 1;
      } catch (cause) {
        // Whatever it was, it belongs to this group: a state that cannot be read, a page that is gone, a store that refuses. The log has the facts.
        failed.push(...[...group.segments].map(({ key }) => ({ key, cause })));
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { ...counts, refold: onePerKey(failed) };
}

/** Folds log items into the projection that answers, and into the one that is being rebuilt behind it. */
export async function projectLive(
  { projections, meta }: { readonly projections: Projections; readonly meta: MetaStore },
  items: readonly OpenedItem[],
  retry: Retry,
): Promise<ProjectedSegments> {
  const { live, building } = await readLivePointer(meta);
  const answering = await projectSegments({ jobs: projections.open(live), meta }, items, retry);
  if (building === undefined || building === live) return answering;
  const behind = await projectSegments({ jobs: projections.open(building), meta }, items, retry);
  return { ...answering, refold: onePerKey([...answering.refold, ...behind.refold]) };
}

async function projectGroup(
  { jobs, meta }: ProjectionPorts,
  group: FactGroup,
  retry: Retry,
): Promise<"written" | "unchanged"> {
  switch (group.kind) {
    case "job": {
      const segments = [...group.segments].map(({ name }) => name);
      return projectJob({ jobs, meta }, group.key, { facts: group.facts, segments }, retry);
    }
    case "record":
      return projectClusterFacts(meta, group.place, group.facts, retry);
  }
}

function readSegments(items: readonly OpenedItem[]): {
  readonly segments: readonly LoggedSegment[];
  readonly refold: readonly Refold[];
} {
  const segments: LoggedSegment[] = [];
  const refold: Refold[] = [];
  for (const item of items) {
    const read = readLogItem(item);
    if (read.outcome === "read") segments.push(read.segment);
    else refold.push({ key: item.key, cause: read.reason });
  }
  return { segments, refold };
}

function onePerKey(refold: readonly Refold[]): readonly Refold[] {
  return [...new Map(refold.map((one) => [`${one.key.pk}|${one.key.sk}`, one])).values()];
}
