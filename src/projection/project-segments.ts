import type { Refold } from "../ports/refold-queue.ts";
import pLimit from "p-limit";
import { nextTurn, type Turn } from "../ports/concurrency/fair-turns.ts";
import { unknownErasures } from "../log/erasure/stored-erasures.ts";
import { itemsWithoutErased } from "../log/erasure/without-erased.ts";
import type { Retry } from "../ports/concurrency/retry.ts";
import type { OpenedItem } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName, Projections } from "../ports/projections.ts";
import { ChangeAnnouncer } from "./changes/change-announcer.ts";
import type { ChangeFeed } from "./changes/change-feed.ts";
import { type FactGroup, groupFacts, type LoggedSegment, type RunGroup, RunGroups } from "./group-facts.ts";
import { readLivePointer } from "./live-projection.ts";
import { ONLY_PROJECTOR, type Projector, type WrittenProjection, writtenBy } from "./projector.ts";
import { readLogItem } from "./log-segment.ts";
import type { WriteCoalescing } from "./write-coalescing.ts";
import { isHintFact } from "../job/model/fact.ts";
import { noteCluster, projectClusterFacts } from "./project-cluster.ts";
import { type JobOutcome, type JobPorts, projectJob } from "./project-job.ts";
import { projectRun } from "./run-state/project-run.ts";
import type { RowObserver, RunObserver } from "./row-observer.ts";

/** The result of projecting a batch of segments. */
export interface ProjectedSegments {
  /** Job states and records that were written. */
  readonly written: number;
  /** Jobs and records that already contained the facts. */
  readonly unchanged: number;
  /** Large Jobs whose segments were noted, to be projected later (write-coalescing.ts). */
  readonly noted: number;
  /** Hint records that could not be written. The log has the hints, and the audit adds them. */
  readonly lostHints: number;
  /** Segments that could not be projected completely. The log keeps them: project them again by their keys. */
  readonly refold: readonly Refold[];
}

/** Jobs and records projected at the same time. */
const MAX_CONCURRENT = 16;

/**
 * Applies log items to a projection, all facts of one Job in one write. A failure affects only its own Job or record:
 * the result names the log keys to apply again. Applying an item twice changes nothing.
 */
export async function projectSegments(
  ports: JobPorts,
  items: readonly OpenedItem[],
  retry: Retry,
): Promise<ProjectedSegments> {
  const { segments, refold } = await readSegments(ports.meta, await itemsWithoutErased(ports.meta, items));
  if (ports.jobsOnly !== true) await noteClusters(ports.meta, segments);
  const counts = { written: 0, unchanged: 0, noted: 0 };
  const failed: Refold[] = [...refold];
  let lostHints = 0;
  const groups = groupFacts(segments).flatMap((group) => writtenGroup(ports, group));
  const runs = new RunGroups(hasRuns(ports) ? segments : []);
  const project = async (group: FactGroup | RunGroup, attempts: Retry) => {
    await nextTurn(ports);
    try {
      counts[await projectGroup(ports, group, { runs, retry: attempts })] += 1;
    } catch (cause) {
      // An unreadable state, a missing page or an unavailable store affects only this group. The log still has the
      // facts.
      const refolded = refoldedAfter(group);
      failed.push(...refolded.map(({ key }) => ({ key, cause })));
      if (isHints(group) && refolded.length < group.segments.size) lostHints += 1;
    }
  };
  const limit = pLimit(MAX_CONCURRENT);
  await limit.map(
    groups.filter((group) => !isHints(group)),
    (group) => project(group, retry),
  );
  // After the states of their Jobs.
  if (ports.onRuns === undefined) {
    for (const some of runs.inOrder) await limit.map(some, (run) => project(run, retry));
  } else ports.onRuns(runs.all);
  await limit.map(groups.filter(isHints), (group) => project(group, { ...retry, attempts: HINT_ATTEMPTS }));
  return { ...counts, lostHints, refold: onePerKey(failed) };
}

function hasRuns({ runs, onRuns }: JobPorts): boolean {
  return runs !== undefined || onRuns !== undefined;
}

/** The group without the facts that these ports do not write; none if nothing is left. */
function writtenGroup({ jobsOnly, isRemoved }: JobPorts, group: FactGroup): readonly FactGroup[] {
  if (group.kind === "job") return [group];
  if (jobsOnly === true) return [];
  const facts = group.facts.filter((fact) => isRemoved?.(group.cluster, fact) !== true);
  return facts.length === 0 ? [] : [{ ...group, facts }];
}

async function noteClusters(meta: MetaStore, segments: readonly LoggedSegment[]): Promise<void> {
  const clusters = new Set(segments.map(({ cluster }) => cluster));
  await pLimit(MAX_CONCURRENT).map(clusters, (cluster) => noteCluster(meta, cluster));
}

/** Hints explain but never decide, so they are written after the facts, with few attempts. */
const HINT_ATTEMPTS = 2;

function isHints(group: FactGroup | RunGroup): boolean {
  return group.kind === "record" && group.record.kind === "hints";
}

/** The segments to project again if a group fails. Hints repeat no facts: only segments of hints alone are repeated. */
function refoldedAfter(group: FactGroup | RunGroup): readonly LoggedSegment[] {
  const segments = [...group.segments];
  return isHints(group) ? segments.filter(({ facts }) => facts.every(isHintFact)) : segments;
}

export interface LivePorts {
  readonly projections: Projections;
  readonly meta: MetaStore;
  /** Gets each row of the live projection that is written. @default none */
  readonly observer?: RowObserver;
  /** The same of runs. @default none */
  readonly runObserver?: RunObserver;
  /** How writes of large Jobs are combined. @default every change is written */
  readonly coalescing?: WriteCoalescing;
  /** Lets other work run between two Jobs. @default no interruption */
  readonly turn?: Turn;
  /** Where the status changes of the live projection are announced. @default nowhere */
  readonly changes?: Pick<ChangeFeed, "append">;
  /** Which projector this is. @default the only one */
  readonly projector?: Projector;
}

const NOTHING: ProjectedSegments = { written: 0, unchanged: 0, noted: 0, lostHints: 0, refold: [] };

/**
 * Applies log items to the projections that this projector writes: the live one and the one that a replay is building,
 * or one of them during a trial (projector.ts). The counts are those of the first.
 */
export async function projectLive(
  ports: LivePorts,
  items: readonly OpenedItem[],
  retry: Retry,
): Promise<ProjectedSegments> {
  const pointer = await readLivePointer(ports.meta);
  const [first, second] = writtenBy(pointer, ports.projector ?? ONLY_PROJECTOR);
  if (first === undefined) return NOTHING;
  const projected = await projectSegments(jobPorts(ports, pointer.live, first), items, retry);
  if (second === undefined) return projected;
  const behind = await projectSegments(jobPorts(ports, pointer.live, second), items, retry);
  return { ...projected, refold: onePerKey([...projected.refold, ...behind.refold]) };
}

/** Only the projection that answers is observed, and announces changes. */
function jobPorts(
  { projections, meta, observer, runObserver, coalescing, turn, changes }: LivePorts,
  live: ProjectionName,
  { projection, jobsOnly }: WrittenProjection,
): JobPorts {
  const announcer = changes && new ChangeAnnouncer(changes.append);
  return {
    jobs: projections.open(projection),
    runs: projections.runs(projection),
    meta,
    jobsOnly,
    ...(coalescing && { coalescing: { mode: coalescing, projection } }),
    ...(turn && { turn }),
    ...(projection === live && {
      ...(observer && { observer }),
      ...(runObserver && { runObserver }),
      ...(announcer && { announcer }),
    }),
  };
}

interface Attempts {
  readonly retry: Retry;
  /** Gets the Jobs that belong to runs. */
  readonly runs: RunGroups;
}

async function projectGroup(
  ports: JobPorts,
  group: FactGroup | RunGroup,
  { retry, runs }: Attempts,
): Promise<JobOutcome> {
  switch (group.kind) {
    case "job": {
      const project = () => projectJob(ports, group, retry);
      const { outcome, runUid } = await (ports.announcer === undefined ? project() : ports.announcer.during(project));
      if (hasRuns(ports) && runUid !== undefined) runs.addJob(runUid, group);
      return outcome;
    }
    case "run":
      return ports.runs === undefined ? "unchanged" : projectRun({ ...ports, runs: ports.runs }, group, retry);
    case "record":
      return projectClusterFacts(ports.meta, group, retry);
  }
}

interface ReadItems {
  readonly segments: readonly LoggedSegment[];
  readonly refold: readonly Refold[];
}

async function readSegments(meta: MetaStore, items: readonly OpenedItem[]): Promise<ReadItems> {
  const segments: LoggedSegment[] = [];
  const refold: Refold[] = [];
  for (const item of items) {
    const read = readLogItem(item);
    if (read.outcome === "unreadable") {
      refold.push({ key: item.key, cause: new SegmentUnreadableError(read.reason) });
      continue;
    }
    const [unknown] = await unknownErasures(meta, read.segment);
    if (unknown === undefined) segments.push(read.segment);
    else refold.push({ key: item.key, cause: new ErasureLostError(unknown) });
  }
  return { segments, refold };
}

/** No release up to this one can decode the log item, or its bytes are damaged. */
export class SegmentUnreadableError extends Error {
  override readonly name = "SegmentUnreadableError";
}

/**
 * A segment says that an erasure removed facts from it, but the records lack this erasure. Redelivered messages would
 * bring the erased data back.
 */
class ErasureLostError extends Error {
  override readonly name = "ErasureLostError";

  constructor(id: string) {
    super(
      `The log was erased by erasure ${id}, and the records do not have it: they were restored from before it. ` +
        "Restore the records to a time after it, or apply the erasures of the archive with `outlive erase --apply`. " +
        "Then project the segment again.",
    );
  }
}

function onePerKey(refold: readonly Refold[]): readonly Refold[] {
  return [...new Map(refold.map((one) => [`${one.key.pk}|${one.key.sk}`, one])).values()];
}
