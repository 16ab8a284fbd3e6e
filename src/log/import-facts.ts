import type { Refold } from "../ports/refold-queue.ts";
import type { OpenedItem } from "../ports/log.ts";
import type { Turn } from "../ports/concurrency/fair-turns.ts";
import type { Fact, Stamp } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { compareOrder, orderOf } from "../job/model/order.ts";
import { FactDeduplicator } from "../segment/fact-deduplicator.ts";
import { Sealer } from "../segment/sealer.ts";
import { contentSession } from "./content-session.ts";
import { LogDayRegistry } from "./log-day-registry.ts";
import { type IngestOptions, type IngestPorts, ingestSegment } from "./ingest-segment.ts";

export interface ImportPorts extends Omit<IngestPorts, "days"> {
  /** Projects log items. With a turn, other work runs between two Jobs. */
  readonly project: (items: readonly OpenedItem[], turn?: Turn) => Promise<{ readonly refold: readonly Refold[] }>;
  /**
   * Runs `work` in one transaction where the store has them: flushing to disk takes most of the time of a small write.
   */
  readonly atOnce: (work: () => Promise<void>) => Promise<void>;
}

export interface ImportOptions {
  readonly cluster: ClusterName;
  /** The time of the import, for messages that are set aside. */
  readonly now: Instant;
  /** When the latest facts arrived, if the recording says so. Then segments end when an exporter would end them. */
  readonly receivedAt?: () => Instant | undefined;
  readonly onProgress?: (soFar: Imported) => void;
  /** The most Jobs in a segment. Another number produces different segments. @default 400 */
  readonly segmentJobs?: number;
  /** Segments that are written and projected together. @default 32 */
  readonly segmentsAtOnce?: number;
}

/** The result of an import. */
export interface Imported {
  /** Facts in the recording. */
  readonly facts: number;
  /** Facts that were not repetitions. */
  readonly sealed: number;
  readonly appended: number;
  /** Segments that were already in the log, from an earlier import. */
  readonly duplicates: number;
  /** Why facts were too large for a segment, and why segments were set aside. */
  readonly refused: readonly string[];
  /** Log items that could not be completely projected. */
  readonly refold: readonly Refold[];
}

/**
 * The number of segments that are projected together: each Job's state is written once for all of them. More segments
 * mean fewer writes, and more facts in memory (60,000 with this number).
 */
const SEGMENTS_AT_ONCE = 32;
/** How long a segment of facts with arrival times stays open, as in an exporter. */
const WINDOW_MILLIS = 250;
/** The number of facts at the beginning of a recording from which the session is named. */
const NAMING_FACTS = 16;
/** The capacity of the deduplicator. */
const DEDUPLICATION = { jobs: 100_000, pods: 1_000_000 };

/**
 * Sends facts through the real path: deduplicator, segments, log, projection. The facts alone determine the bounds and
 * the names of the segments. An interrupted import can be started again: segments that are already in the log are
 * duplicates.
 */
export async function importFacts(ports: ImportPorts, facts: FactSource, options: ImportOptions): Promise<Imported> {
  const now = { now: options.now, recorded: true };
  return sealAndDeliver(facts, options, (messages, imported) => ingestInto(ports, messages, { imported, ...now }));
}

export type FactSource = AsyncIterable<readonly Fact[]> | Iterable<readonly Fact[]>;

/** The counts of an import while it runs. */
export type Importing = { -readonly [Key in keyof Imported]: Imported[Key] } & {
  readonly refused: string[];
  readonly refold: Refold[];
};

/** Delivers sealed segments, and counts the outcomes. */
export type Deliver = (messages: readonly Uint8Array[], imported: Importing) => Promise<void>;

/** Seals facts into segments, whose bounds and names depend on the facts alone, and delivers them. */
export async function sealAndDeliver(facts: FactSource, options: ImportOptions, deliver: Deliver): Promise<Imported> {
  const run = new ImportRun(deliver, options);
  for await (const some of facts) {
    for (const fact of some) run.take(fact);
    if (run.isFull) await run.send();
  }
  run.end();
  await run.send();
  return run.imported;
}

interface Ingesting extends IngestOptions {
  readonly imported: Importing;
}

/** Writes and projects segments together. */
async function ingestInto(ports: ImportPorts, messages: readonly Uint8Array[], options: Ingesting): Promise<void> {
  await ports.atOnce(async () => {
    // For this transaction only: a failed one rolls back the days that it recorded.
    const ingestPorts = { ...ports, days: new LogDayRegistry(ports.meta) };
    const items: OpenedItem[] = [];
    for (const message of messages) {
      const item = await ingestOne(ingestPorts, message, options);
      if (item !== undefined) items.push(item);
    }
    options.imported.refold.push(...(await ports.project(items)).refold);
  });
}

async function ingestOne(
  ports: IngestPorts,
  message: Uint8Array,
  { imported, ...options }: Ingesting,
): Promise<OpenedItem | undefined> {
  const ingested = await ingestSegment(ports, message, options);
  switch (ingested.outcome) {
    case "appended":
      imported.appended += 1;
      return ingested.item;
    case "duplicate":
      imported.duplicates += 1;
      return ingested.item;
    case "conflict":
    case "setAside":
      imported.refused.push(ingested.reason);
      return undefined;
  }
}

class ImportRun {
  readonly #deliver: Deliver;
  readonly #options: ImportOptions;
  readonly #deduplicator = new FactDeduplicator(DEDUPLICATION);
  #naming: Fact[] = [];
  #sealer: Sealer | undefined;
  #sealedAt: Instant = 0;
  /** When the latest facts arrived. */
  #arrivedAt: Instant | undefined;
  /** When the first fact of the open segment arrived. */
  #windowAt: Instant | undefined;
  #latest: Stamp | undefined;
  #messages: Uint8Array[] = [];
  readonly imported: Importing = { facts: 0, sealed: 0, appended: 0, duplicates: 0, refused: [], refold: [] };

  constructor(deliver: Deliver, options: ImportOptions) {
    this.#deliver = deliver;
    this.#options = options;
  }

  /** Whether enough segments are ready to be sent. */
  get isFull(): boolean {
    return this.#messages.length >= (this.#options.segmentsAtOnce ?? SEGMENTS_AT_ONCE);
  }

  take(fact: Fact): void {
    this.imported.facts += 1;
    this.#latest = laterStamp(this.#latest, fact);
    if (this.#deduplicator.isNew(fact)) this.#seal(fact, this.#options.receivedAt?.());
  }

  /** Closes the last segment with the instant at which the recording ends. */
  end(): void {
    if (this.#latest !== undefined) {
      const at = Math.max(this.#latest.at, this.#arrivedAt ?? 0);
      this.#seal({ ...this.#latest, at, kind: "ClusterObserved" }, this.#arrivedAt);
    }
    this.seal();
  }

  #seal(fact: Fact, arrivedAt: Instant | undefined): void {
    if ((arrivedAt === undefined) !== (this.#arrivedAt === undefined)) this.#beginSession();
    else if (this.#windowAt !== undefined && arrivedAt !== undefined && arrivedAt - this.#windowAt >= WINDOW_MILLIS) {
      this.seal();
    }
    this.#arrivedAt = arrivedAt;
    this.#windowAt ??= arrivedAt;
    if (this.#sealer !== undefined) this.#add(this.#sealer, fact);
    else if (this.#naming.push(fact) === NAMING_FACTS) this.#begin();
  }

  /** Facts with arrival times and facts without them are never in one session. */
  #beginSession(): void {
    this.seal();
    this.#sealer = undefined;
    this.#naming = [];
  }

  /** Closes the open segment. */
  seal(): void {
    if (this.#sealer === undefined && this.#naming.length === 0) return;
    const sealer = this.#sealer ?? this.#begin();
    for (const { bytes } of sealer.seal(this.#arrivedAt ?? this.#sealedAt)) this.#messages.push(bytes);
    this.#sealedAt = 0;
    this.#windowAt = undefined;
  }

  async send(): Promise<void> {
    const messages = this.#messages;
    if (messages.length === 0) return;
    this.#messages = [];
    await this.#deliver(messages, this.imported);
    this.#options.onProgress?.(this.imported);
  }

  /** The session is named after the first facts: the same recording always gets the same name. */
  #begin(): Sealer {
    const { cluster, segmentJobs: maxJobs } = this.#options;
    const session = contentSession(this.#naming, { onArrival: this.#arrivedAt !== undefined });
    const sealer = new Sealer({ cluster, session, firstSequence: 0, ...(maxJobs !== undefined && { maxJobs }) });
    this.#sealer = sealer;
    for (const fact of this.#naming) this.#add(sealer, fact);
    return sealer;
  }

  #add(sealer: Sealer, fact: Fact): void {
    const added = sealer.add(fact);
    switch (added.outcome) {
      case "added":
        this.#sealedAt = Math.max(this.#sealedAt, fact.at);
        this.imported.sealed += 1;
        return;
      case "full":
        this.seal();
        this.#add(sealer, fact);
        return;
      case "rejected":
        this.imported.refused.push(added.reason);
    }
  }
}

/** The latest instant and the highest order of two. */
function laterStamp(known: Stamp | undefined, { epoch, resourceVersion, at }: Stamp): Stamp {
  if (known === undefined) return { epoch, resourceVersion, at };
  const order = compareOrder(known, { epoch, resourceVersion }) < 0 ? { epoch, resourceVersion } : orderOf(known);
  return { ...order, at: Math.max(known.at, at) };
}
