import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../src/log/ingest-segment.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { WriteCoalescing } from "../../src/projection/write-coalescing.ts";
import type { ChangeFeed } from "../../src/projection/changes/change-feed.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { Sealer } from "../../src/segment/sealer.ts";
import { sealedAtOf } from "../../src/segment/segment-key.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import type { Log, LogKey, OpenedItem } from "../../src/ports/log.ts";
import type { RefoldOptions, RefoldQueue } from "../../src/ports/refold-queue.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { TimedFact } from "./steady-jobs.ts";
import type { MeteredTables } from "./tables.ts";

/** The exporter sends at most once per this interval (docs/architecture.md). */
const WINDOW_MS = 250;
/** SQS may deliver a message twice. Here it delivers every hundredth twice, which is much more often. */
const DELIVERED_TWICE = 100;
/**
 * One of this many batches conflicts with another projector on every Job, because the stream's lanes run concurrently
 * and a batch may be retried while its first attempt runs.
 */
const FOLDED_TWICE = 50;

export interface Run {
  readonly segments: number;
  readonly batches: number;
}

export interface RunOptions {
  readonly facts: readonly TimedFact[];
  readonly foldMs: number;
  readonly beginsAt: number;
  /** Called after each window with the elapsed milliseconds of the timeline. */
  readonly onWindow?: (ms: number) => void;
}

/**
 * Ingests a cluster's facts: sealed in windows, each segment ingested when it arrives, and the log's new items
 * projected every `foldMs`, as with the stream's batching window. 0 projects each segment separately. Segments of large
 * Jobs are projected when the refold queue delivers them (src/projection/write-coalescing.ts).
 */
export async function runCluster(
  tables: MeteredTables,
  cluster: ClusterName,
  { facts, foldMs, beginsAt, onWindow }: RunOptions,
): Promise<Run> {
  const sealer = new Sealer({ cluster, session: "0123456789abcdef", firstSequence: 0 });
  const ports = { log: tables.log, meta: tables.meta, days: new LogDayRegistry(tables.meta) };
  const waiting: OpenedItem[] = [];
  const calls = new CallQueue();
  let segments = 0;
  /** Counted separately, because every fiftieth of both together would always be of the same kind. */
  const batches = { note: 0, collect: 0 };
  const foldItems = async (items: readonly OpenedItem[], coalescing: WriteCoalescing) => {
    if (items.length === 0) return;
    batches[coalescing.kind] += 1;
    await foldBatch(tables, items, { coalescing, twice: batches[coalescing.kind] % FOLDED_TWICE === 0 });
  };
  const answerCalls = async () =>
    foldItems(await openItems(tables.log, calls.take()), { kind: "collect", log: tables.log });
  const windows = Map.groupBy(facts, ({ ms }) => Math.floor(ms / WINDOW_MS));
  const last = Math.max(...windows.keys());
  for (let window = 0; window <= last; window += 1) {
    const at = (window + 1) * WINDOW_MS;
    for (const { bytes } of sealAll(sealer, windows.get(window) ?? [], beginsAt + at)) {
      segments += 1;
      const ingested = await ingestSegment(ports, bytes, { now: beginsAt + at });
      if (ingested.outcome !== "appended") throw new Error(`A segment was not appended: ${ingested.outcome}`);
      waiting.push(ingested.item);
      if (segments % DELIVERED_TWICE === 0) await ingestSegment(ports, bytes, { now: beginsAt + at });
    }
    calls.at = at;
    await answerCalls();
    const isTime = foldMs === 0 || at % foldMs === 0 || window === last;
    if (isTime) await foldItems(waiting.splice(0), { kind: "note", refoldQueue: calls });
    onWindow?.(at);
  }
  calls.at = Number.POSITIVE_INFINITY;
  await answerCalls();
  return { segments, batches: batches.note + batches.collect };
}

function sealAll(sealer: Sealer, timed: readonly TimedFact[], sealedAt: number): readonly SealedSegment[] {
  const sealed: SealedSegment[] = [];
  for (const { fact } of timed) {
    if (sealer.add(fact).outcome !== "full") continue;
    sealed.push(...sealer.seal(sealedAt));
    sealer.add(fact);
  }
  return [...sealed, ...sealer.seal(sealedAt)];
}

/** The refold queue: log keys, which are not delivered before they are due. */
class CallQueue implements RefoldQueue {
  at = 0;
  #calls: readonly { readonly key: LogKey; readonly dueAt: number }[] = [];

  async send(keys: readonly LogKey[], { afterSeconds = 0 }: RefoldOptions = {}): Promise<void> {
    const dueAt = this.at + afterSeconds * 1_000;
    this.#calls = [...this.#calls, ...keys.map((key) => ({ key, dueAt }))];
  }

  take(): readonly LogKey[] {
    const due = this.#calls.filter(({ dueAt }) => dueAt <= this.at);
    this.#calls = this.#calls.filter(({ dueAt }) => dueAt > this.at);
    return due.map(({ key }) => key);
  }
}

async function openItems(log: Log, keys: readonly LogKey[]): Promise<readonly OpenedItem[]> {
  const items = await Promise.all(keys.map((key) => log.read(key)));
  return items.flatMap((item) => {
    const decoded = item && decodeSegment(item.bytes);
    return item === undefined || decoded?.outcome !== "decoded" ? [] : [{ ...item, segment: decoded.segment }];
  });
}

const RETRY = { attempts: 5, pause: async () => {} };

interface FoldOptions {
  readonly coalescing: WriteCoalescing;
  readonly twice: boolean;
  /** Where status changes are announced. @default nowhere */
  readonly changes?: ChangeFeed;
}

/** Projects a batch; `twice` if another projector, which read the same states, writes at the same time. */
export async function foldBatch(
  { projectionsAt, meta }: MeteredTables,
  items: readonly OpenedItem[],
  { coalescing, twice, changes }: FoldOptions,
): Promise<void> {
  // A recording is as old as its segments: the clock of the function shows when they were sealed.
  const projections = projectionsAt(Math.max(...items.map(({ key }) => sealedAtOf(key.sk))));
  const second = twice ? await readBefore(projections, items) : undefined;
  for (const stores of [projections, second ?? []].flat()) {
    const ports = { projections: stores, meta, coalescing, ...(changes && { changes }) };
    const { refold } = await projectLive(ports, items, RETRY);
    if (refold.length > 0) throw new Error("A segment could not be folded", { cause: refold[0]?.cause });
  }
}

/**
 * The projections of another projector that read every state before the first write: its writes are refused, and it
 * reads again.
 */
async function readBefore(projections: Projections, items: readonly OpenedItem[]): Promise<Projections> {
  const jobs = projections.open("A");
  const stale = new Map<string, ReturnType<typeof jobs.read>>();
  for (const { segment } of items) {
    for (const fact of segment?.facts ?? []) {
      if (!("jobUid" in fact) || segment === undefined || stale.has(fact.jobUid)) continue;
      const read = jobs.read({ cluster: segment.cluster, jobUid: fact.jobUid });
      await read;
      stale.set(fact.jobUid, read);
    }
  }
  const read: typeof jobs.read = (key) => {
    const known = stale.get(key.jobUid);
    stale.delete(key.jobUid);
    return known ?? jobs.read(key);
  };
  return { ...projections, open: () => ({ ...jobs, read }) };
}
