import { LogDayRegistry } from "../../src/ingest/log-day-registry.ts";
import { ingestSegment } from "../../src/ingest/ingest-segment.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { OpenedItem } from "../../src/projection/log-segment.ts";
import type { WriteCoalescing } from "../../src/projection/write-coalescing.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { Sealer } from "../../src/segment/sealer.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import type { Log, LogKey } from "../../src/ports/log.ts";
import type { RefoldOptions, RefoldQueue } from "../../src/ports/refold-queue.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { TimedFact } from "./steady-jobs.ts";
import type { MeteredTables } from "./tables.ts";

/** The exporter sends at most every so many milliseconds (docs/architecture.md). */
const WINDOW_MS = 250;
/** SQS may deliver a message twice; here it does so with each hundredth, which is far more often. */
const DELIVERED_TWICE = 100;
/**
 * Of so many batches one meets another projector on every Job in it: the stream's lanes fold side by side, and a batch
 * is tried again while its first try goes on.
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
  /** Called after each window: how many milliseconds of the timeline are over. */
  readonly onWindow?: (ms: number) => void;
}

/**
 * A cluster's facts through the real path: sealed in windows, each segment ingested as it comes, the log's new items
 * folded every `foldMs` together, which is what the stream's batching window does. 0 folds each segment alone. News of
 * large Jobs are folded when they are called for (src/projection/write-coalescing.ts).
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
  /** Counted apart: who takes each fiftieth of both together always takes one of the same kind. */
  const batches = { note: 0, collect: 0 };
  const foldBatch = async (items: readonly OpenedItem[], coalescing: WriteCoalescing) => {
    if (items.length === 0) return;
    batches[coalescing.kind] += 1;
    await fold(tables, items, { coalescing, twice: batches[coalescing.kind] % FOLDED_TWICE === 0 });
  };
  const answerCalls = async () =>
    foldBatch(await openItems(tables.log, calls.take()), { kind: "collect", log: tables.log });
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
    if (isTime) await foldBatch(waiting.splice(0), { kind: "note", refoldQueue: calls });
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

/** The refold queue: log keys, none of which anybody gets before it is due. */
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

async function fold(
  { projections, meta }: MeteredTables,
  items: readonly OpenedItem[],
  { coalescing, twice }: { readonly coalescing: WriteCoalescing; readonly twice: boolean },
): Promise<void> {
  const second = twice ? await readBefore(projections, items) : undefined;
  for (const stores of [projections, second ?? []].flat()) {
    const { refold } = await projectLive({ projections: stores, meta, coalescing }, items, RETRY);
    if (refold.length > 0) throw new Error("A segment could not be folded", { cause: refold[0]?.cause });
  }
}

/**
 * The projections as another projector has them that read every state before the first one wrote: its writes are
 * refused, and it reads again.
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
