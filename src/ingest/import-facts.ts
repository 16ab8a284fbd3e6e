import type { Fact, Stamp } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { compareOrder, orderOf } from "../job/model/order.ts";
import { createFactDeduplicator } from "../segment/fact-deduplicator.ts";
import type { OpenedItem } from "../projection/log-segment.ts";
import type { ProjectedSegments, Refold } from "../projection/project-segments.ts";
import { createSealer, type Sealer } from "../segment/sealer.ts";
import { contentSession } from "./content-session.ts";
import { LogDayRegistry } from "./log-day-registry.ts";
import { type IngestPorts, ingestSegment } from "./ingest-segment.ts";

export interface ImportPorts extends Omit<IngestPorts, "days"> {
  /** Folds log items into the projections. */
  readonly project: (items: readonly OpenedItem[]) => Promise<ProjectedSegments>;
  /** Makes all that `work` writes durable at once, where the store can: most of the time of a small write goes into making it durable. */
  readonly atOnce: (work: () => Promise<void>) => Promise<void>;
}

export interface ImportOptions {
  readonly cluster: ClusterName;
  /** When the import happens: for what is set aside. */
  readonly now: Instant;
  /** When the facts that were given last arrived, if their recording says so: then segments end as an exporter would end them. */
  readonly receivedAt?: () => Instant | undefined;
  readonly onProgress?: (soFar: Imported) => void;
  /** Jobs in a segment at most. Another number makes other segments. @default 400 */
  readonly segmentJobs?: number;
  /** Segments that are made durable and folded together. @default 32 */
  readonly segmentsAtOnce?: number;
}

/** What an import came to. */
export interface Imported {
  /** Facts that were given. */
  readonly facts: number;
  /** Those that said something new. */
  readonly sealed: number;
  readonly appended: number;
  /** Segments that the log had already: from an import before this one. */
  readonly duplicates: number;
  /** Facts that are too large for any segment, and segments that were set aside, with the reason. */
  readonly refused: readonly string[];
  /** Segments of which something could not be folded. */
  readonly refold: readonly Refold[];
}

/** A Job's state is written once for all of them: more means fewer writes, and more facts in memory (60,000 at this number). */
const SEGMENTS_AT_ONCE = 32;
/** How long a segment of facts with arrival times stays open: as an exporter's does. */
const WINDOW_MILLIS = 250;
/** Facts that name a recording: those it begins with. */
const NAMING_FACTS = 16;
/** What is remembered to leave out repeats. */
const NOVELTY = { jobs: 100_000, pods: 1_000_000 };

/**
 * Sends facts through the real path: deduplicator, segments, log, projection. Where a segment ends and what it is called follow from the facts alone, so that
 * an import that was cut off anywhere is begun again from the start and comes to the same: what the log has already is a duplicate.
 */
export async function importFacts(
  ports: ImportPorts,
  facts: AsyncIterable<readonly Fact[]> | Iterable<readonly Fact[]>,
  options: ImportOptions,
): Promise<Imported> {
  const run = new ImportRun(ports, options);
  for await (const some of facts) {
    for (const fact of some) run.take(fact);
    if (run.isFull) await run.send();
  }
  run.end();
  await run.send();
  return run.imported;
}

class ImportRun {
  readonly #ports: ImportPorts;
  readonly #options: ImportOptions;
  readonly #deduplicator = createFactDeduplicator(NOVELTY);
  #naming: Fact[] = [];
  #sealer: Sealer | undefined;
  #sealedAt: Instant = 0;
  /** When the facts that were given last arrived. */
  #arrivedAt: Instant | undefined;
  /** When the first fact of the open segment arrived. */
  #windowAt: Instant | undefined;
  #latest: Stamp | undefined;
  #messages: Uint8Array[] = [];
  readonly imported = {
    facts: 0,
    sealed: 0,
    appended: 0,
    duplicates: 0,
    refused: [] as string[],
    refold: [] as Refold[],
  };

  constructor(ports: ImportPorts, options: ImportOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** There are segments enough to send. */
  get isFull(): boolean {
    return this.#messages.length >= (this.#options.segmentsAtOnce ?? SEGMENTS_AT_ONCE);
  }

  take(fact: Fact): void {
    this.imported.facts += 1;
    this.#latest = laterStamp(this.#latest, fact);
    if (this.#deduplicator.isNew(fact)) this.#seal(fact, this.#options.receivedAt?.());
  }

  /** Closes the last segment. It ends with the instant up to which the cluster was recorded, which follows from the recording alone. */
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
    await this.#ports.atOnce(async () => {
      // Of this transaction only: a day that was noted in one that failed is not noted.
      const ports = { ...this.#ports, days: new LogDayRegistry(this.#ports.meta) };
      const items: OpenedItem[] = [];
      for (const message of messages) {
        const item = await this.#ingest(ports, message);
        if (item !== undefined) items.push(item);
      }
      this.imported.refold.push(...(await this.#ports.project(items)).refold);
    });
    this.#options.onProgress?.(this.imported);
  }

  async #ingest(ports: IngestPorts, message: Uint8Array): Promise<OpenedItem | undefined> {
    const ingested = await ingestSegment(ports, message, this.#options.now, { recorded: true });
    switch (ingested.outcome) {
      case "appended":
        this.imported.appended += 1;
        return ingested.item;
      case "duplicate":
        this.imported.duplicates += 1;
        return ingested.item;
      case "conflict":
      case "setAside":
        this.imported.refused.push(ingested.reason);
        return undefined;
    }
  }

  /** The facts that a recording begins with are its name: the same recording is the same session. */
  #begin(): Sealer {
    const { cluster, segmentJobs: maxJobs } = this.#options;
    const session = contentSession(this.#naming, { onArrival: this.#arrivedAt !== undefined });
    const sealer = createSealer({ cluster, session, firstSequence: 0, ...(maxJobs !== undefined && { maxJobs }) });
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
