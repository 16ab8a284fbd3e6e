import { DayBook } from "../../src/ingest/day-book.ts";
import { ingestSegment } from "../../src/ingest/ingest-segment.ts";
import type { ClusterName } from "../../src/job/ids.ts";
import type { OpenedItem } from "../../src/projection/log-segment.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { createSealer, type Sealer } from "../../src/segment/sealer.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import type { LogItem, LogKey } from "../../src/ports/log.ts";
import type { RefoldQueue } from "../../src/ports/refold-queue.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { TimedFact } from "./steady-jobs.ts";
import type { MeteredTables } from "./tables.ts";

/** The exporter sends at most every so many milliseconds (docs/architecture.md). */
const WINDOW_MS = 250;
/** SQS may deliver a message twice; here it does so with each hundredth, which is far more often. */
const DELIVERED_TWICE = 100;
/** Of so many batches one meets another projector on every Job in it: the stream's lanes fold side by side, and a batch is tried again while its first try goes on. */
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
 * A cluster's facts through the real path: sealed in windows, each segment ingested as it comes, the log's new items folded every `foldMs` together, which
 * is what the stream's batching window does. 0 folds each segment alone.
 */
export async function runCluster(
  tables: MeteredTables,
  cluster: ClusterName,
  { facts, foldMs, beginsAt, onWindow }: RunOptions,
): Promise<Run> {
  const sealer = createSealer({ cluster, session: "0123456789abcdef", firstSequence: 0 });
  const ports = { log: tables.log, meta: tables.meta, days: new DayBook(tables.meta) };
  const waiting: OpenedItem[] = [];
  const calls: Call[] = [];
  let [segments, batches] = [0, 0];
  const windows = Map.groupBy(facts, ({ ms }) => Math.floor(ms / WINDOW_MS));
  const last = Math.max(...windows.keys());
  for (let window = 0; window <= last; window += 1) {
    const at = (window + 1) * WINDOW_MS;
    for (const { bytes } of sealAll(sealer, windows.get(window) ?? [], beginsAt + at)) {
      segments += 1;
      const ingested = await ingestSegment(ports, bytes, beginsAt + at);
      if (ingested.outcome !== "appended") throw new Error(`A segment was not appended: ${ingested.outcome}`);
      waiting.push(ingested.item);
      if (segments % DELIVERED_TWICE === 0) await ingestSegment(ports, bytes, beginsAt + at);
    }
    await answerCalls(tables, calls, at);
    if (waiting.length > 0 && (foldMs === 0 || at % foldMs === 0 || window === last)) {
      batches += 1;
      await fold(tables, waiting.splice(0), { calls, at, twice: batches % FOLDED_TWICE === 0 });
    }
    onWindow?.(at);
  }
  await answerCalls(tables, calls, Number.POSITIVE_INFINITY);
  return { segments, batches };
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

/** A log key in the refold queue, which nobody gets before `dueAt`. */
interface Call {
  readonly key: LogKey;
  readonly dueAt: number;
}

/** Those that are due, as the queue hands them over: ten together at most. */
async function answerCalls({ log, projections, meta }: MeteredTables, calls: Call[], at: number): Promise<void> {
  const due = calls.filter(({ dueAt }) => dueAt <= at);
  calls.splice(0, calls.length, ...calls.filter(({ dueAt }) => dueAt > at));
  for (let from = 0; from < due.length; from += 10) {
    const items: LogItem[] = [];
    for (const { key } of due.slice(from, from + 10)) {
      const item = await log.read(key);
      if (item !== undefined) items.push(item);
    }
    const { refold } = await projectLive({ projections, meta, pace: { kind: "collect", log } }, items, RETRY);
    if (refold.length > 0) throw new Error("What was called for could not be folded", { cause: refold[0]?.cause });
  }
}

const RETRY = { attempts: 5, pause: async () => {} };

async function fold(
  { projections, meta }: MeteredTables,
  items: readonly OpenedItem[],
  { calls, at, twice }: { readonly calls: Call[]; readonly at: number; readonly twice: boolean },
): Promise<void> {
  const queue: RefoldQueue = {
    send: async (keys, { afterSeconds = 0 } = {}) => {
      for (const key of keys) calls.push({ key, dueAt: at + afterSeconds * 1_000 });
    },
  };
  const pace = { kind: "note", calls: queue } as const;
  const second = twice ? await readBefore(projections, items) : undefined;
  for (const stores of [projections, second ?? []].flat()) {
    const { refold } = await projectLive({ projections: stores, meta, pace }, items, RETRY);
    if (refold.length > 0) throw new Error("A segment could not be folded", { cause: refold[0]?.cause });
  }
}

/** The projections as another projector has them that read every state before the first one wrote: its writes are refused, and it reads again. */
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
