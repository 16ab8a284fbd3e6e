import type { ClusterName, JobUid } from "../../../job/model/ids.ts";
import { decodeClusterName } from "../../../job/model/ids.ts";
import type { Instant } from "../../../job/model/instant.ts";
import { type Hold, readHolds } from "../../../ports/expiry/holds.ts";
import type { Eraser } from "../../../ports/erasing/eraser.ts";
import { readRecord, writeRecord } from "../../../ports/records/record-codec.ts";
import { Erasure } from "../erasure.ts";
import {
  type ErasureCounts,
  type ErasureFileName,
  type ErasureRecord,
  erasureRecord,
  NO_COUNTS,
} from "../erasure-record.ts";
import { type ErasureRequest, holdOnTarget, isErasureOf, knownOf, scopeOf } from "../erasure-target.ts";
import { eraseLog } from "./erase-log.ts";
import { eraseRecords } from "./erase-records.ts";
import { eraseSetAside, type SetAsideStores } from "./erase-set-aside.ts";
import { eraseJobs, eraseRuns, eraseSubjects, relabelMetrics } from "./erase-views.ts";
import { gather, type GatheredCounts, type GatherStores } from "./gather.ts";
import { planErasure } from "./plan-erasure.ts";
import { newSalt } from "../salted-names.ts";
import { announce, noteErasureFile, type StoredErasure, storeHashes, unfinishedErasure } from "../stored-erasures.ts";

export interface ErasurePorts extends GatherStores, SetAsideStores {
  readonly eraser: Eraser;
  readonly newId: () => string;
  readonly now: () => Instant;
  /** Waits until every process knows a new erasure (KNOWN_FOR_MS), and has finished what it began before. */
  readonly settle: () => Promise<void>;
  readonly onStep?: (step: ErasureStep) => void;
}

export type ErasureStep = "gathering" | "log" | "states" | "records" | "messages" | "archive" | "files" | "checking";

export type ErasureOutcome =
  | { readonly outcome: "erased"; readonly record: ErasureRecord }
  /** A hold covers data of the target. Nothing was erased. */
  | { readonly outcome: "held"; readonly hold: Hold }
  /** Another erasure has begun and is not finished. Nothing was erased. */
  | { readonly outcome: "unfinished"; readonly other: ErasureRecord }
  /** No store has anything of the target. */
  | { readonly outcome: "nothing" };

/**
 * Erases the data of a Job, a namespace or a cluster. It first records the erasure; from then on, the data cannot
 * return. Every step can be repeated: the same request continues an erasure that was killed.
 */
export async function eraseData(ports: ErasurePorts, request: ErasureRequest): Promise<ErasureOutcome> {
  const hold = holdOnTarget(await readHolds(ports), request.target);
  if (hold !== undefined) return { outcome: "held", hold };
  const unfinished = await unfinishedErasure(ports.meta);
  if (unfinished !== undefined && !isErasureOf(unfinished.erasure, request.target)) {
    return { outcome: "unfinished", other: unfinished.record };
  }
  const begun = unfinished ?? (await begin(ports, request));
  return begun === "nothing" ? { outcome: "nothing" } : finishErasure(ports, begun);
}

/** Continues an erasure to its end. */
export async function finishErasure(ports: ErasurePorts, begun: StoredErasure): Promise<ErasureOutcome> {
  const cluster = clusterOf(begun.record);
  if (cluster === undefined) return { outcome: "nothing" };
  const gathered = begun.record.stage === "gathering" ? await gatherAll(ports, begun, cluster) : begun;
  return { outcome: "erased", record: await removeAll(ports, gathered, cluster) };
}

/** Records the erasure, unless no store has data of its target. */
async function begin(ports: ErasurePorts, request: ErasureRequest): Promise<StoredErasure | "nothing"> {
  const { meta, newId } = ports;
  if (await isNothing(ports, request)) return "nothing";
  const salt = newSalt();
  const scope = scopeOf(request, { id: newId(), salt });
  const known = knownOf(request.target, salt);
  const record: ErasureRecord = { ...scope, stage: "gathering", pages: 0, counts: NO_COUNTS, files: [] };
  const begun = { record, erasure: new Erasure(scope, known) };
  await storeHashes(meta, scope.id, { hashes: known });
  const written = await writeRecord(meta, erasureRecord, { key: scope.id, value: record, expected: 0 });
  await announce(meta);
  await ports.settle();
  return { ...begun, version: written.outcome === "written" ? written.version : 0 };
}

/** Whether no store has data of the target. A mistyped name must not be recorded as an erasure. */
async function isNothing(ports: ErasurePorts, request: ErasureRequest): Promise<boolean> {
  const { facts, jobs, records, objects } = await planErasure(ports, request);
  return facts + jobs + records + objects === 0;
}

async function gatherAll(ports: ErasurePorts, begun: StoredErasure, cluster: ClusterName): Promise<StoredErasure> {
  ports.onStep?.("gathering");
  const { erasure } = begun;
  const counts = atLeast(begun.record.counts, await gather(ports, erasure, cluster));
  const pages = await storeHashes(ports.meta, begun.record.id, { hashes: [...erasure.known].sort() });
  return advance(ports, begun, { ...begun.record, stage: "erasing", pages, counts });
}

/**
 * The larger of both counts. A restored store may have less of the data than the store from which it was erased first.
 */
function atLeast(known: ErasureCounts, found: GatheredCounts): ErasureCounts {
  return {
    ...known,
    jobs: Math.max(known.jobs, found.jobs),
    pods: Math.max(known.pods, found.pods),
    facts: Math.max(known.facts, found.facts),
    segments: Math.max(known.segments, found.segments),
    states: found.jobs >= known.jobs ? found.states : known.states,
  };
}

async function removeAll(ports: ErasurePorts, begun: StoredErasure, cluster: ClusterName): Promise<ErasureRecord> {
  const { onStep = () => undefined, archive, eraser } = ports;
  const { erasure } = begun;
  let { counts } = begun.record;
  let stored = begun;
  for (let left = Infinity; left > 0;) {
    // An archiver that has read data before this round notices the announcement and reads again.
    await announce(ports.meta);
    const removed = await removeStored(ports, erasure, { cluster, isFirst: left === Infinity });
    onStep("archive");
    const noteFile = (file: ErasureFileName) => noteErasureFile(ports.meta, erasure.scope.id, file);
    const objects = (await archive?.erase(erasure, counts, noteFile)) ?? 0;
    counts = { ...counts, records: counts.records + removed.records, objects: counts.objects + objects };
    stored = await advance(ports, stored, { ...stored.record, counts });
    // Another round finds the writes of processes that began before the erasure.
    left = removed.segments + removed.jobs + removed.records + objects;
    onStep("checking");
  }
  onStep("files");
  await eraser.purge();
  const done = await advance(ports, stored, { ...stored.record, stage: "done", finishedAt: ports.now() });
  return done.record;
}

interface Removed {
  readonly segments: number;
  readonly jobs: number;
  readonly records: number;
}

interface Round {
  readonly cluster: ClusterName;
  /** Whether an earlier process may have removed states, and was killed. */
  readonly isFirst: boolean;
}

async function removeStored(ports: ErasurePorts, erasure: Erasure, { cluster, isFirst }: Round): Promise<Removed> {
  const { onStep = () => undefined, eraser } = ports;
  onStep("log");
  const { segments } = await eraseLog(ports, erasure, cluster);
  onStep("states");
  const isErasedJob = (jobUid: JobUid) => erasure.isErasedJob(cluster, jobUid);
  await ports.views.eraseSeriesRuns({ ...ports, cluster, isErasedJob });
  const jobs = (await eraseJobs(eraser, erasure, cluster)) + (await eraseRuns(ports, erasure, cluster));
  onStep("records");
  const records = (await eraseRecords(ports, erasure, cluster)) + (await eraseSetAside(ports, erasure));
  onStep("messages");
  const subjects = await eraseSubjects(ports, erasure, cluster);
  if (isFirst || jobs + subjects > 0) await relabelMetrics(eraser, erasure);
  return { segments, jobs, records: records + subjects };
}

/** Records how far an erasure is. If two processes continue it at once, both do the same, and the last write stays. */
async function advance(
  ports: Pick<ErasurePorts, "meta">,
  from: StoredErasure,
  record: ErasureRecord,
): Promise<StoredErasure> {
  const { meta } = ports;
  const stored = await readRecord(meta, erasureRecord, record.id);
  const files = stored?.value.files;
  const value: ErasureRecord = { ...record, ...(files && { files }) };
  const written = await writeRecord(meta, erasureRecord, { key: record.id, value, expected: stored?.version ?? 0 });
  if (written.outcome === "conflict") return advance(ports, from, record);
  return { ...from, record, version: written.version };
}

function clusterOf({ cluster }: ErasureRecord): ClusterName | undefined {
  return decodeClusterName(cluster);
}
