import type { Spool, SpooledSegment } from "../ports/spool.ts";
import type { SealedSegment } from "../segment/segment.ts";
import { Backlog, type Waiting } from "./backlog.ts";
import type { PositionRules } from "./position-rules.ts";
import { QueueSender, type QueueSenderOptions } from "./queue-sender.ts";

export interface OutboxOptions<Position> extends QueueSenderOptions {
  readonly spool?: Spool;
  readonly rules: PositionRules<Position>;
  /** Compressed bytes that wait in memory at most. @default 32 MiB */
  readonly maxBytes?: number;
}

/** Half an hour of 400 facts a second. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Segments in one request: SQS takes ten in a batch (SendMessageBatch). */
const AT_ONCE = 10;
/** An outage that lasts so long goes to the spool: what waits in memory is gone with the process. */
const PATIENCE_MILLIS = 5000;
/** How long a replica that stands by keeps what the leader already had accepted. */
const KEEP_MILLIS = 5 * 60_000;
/** Who takes over sends so much again of what was accepted already: one replica's view is not another's, and a repeat changes nothing. */
const OVERLAP_MILLIS = 10_000;

/**
 * Sealed segments on their way out. While this replica leads they are sent in order, each until it is accepted or refused for ever; beyond what memory may
 * hold they wait on disk, and beyond that {@link Outbox.hasRoom} asks the reader to stop. While another leads they are kept, bounded, for the day it dies.
 *
 * {@link Outbox.acknowledged} moves only when everything up to it was accepted or is on disk nowhere: whoever begins from there misses nothing.
 */
export class Outbox<Position> {
  readonly #options: OutboxOptions<Position>;
  readonly #backlog: Backlog<Position>;
  readonly #sender: QueueSender;
  readonly #maxBytes: number;
  readonly #changed = new Set<() => void>();
  #acknowledged: Position | undefined;
  /** Reached once all that waits is gone. */
  #trailing: Position | undefined;
  #isLeading = false;
  /** Everything since this replica led is here, and nobody else was seen to lead: however far it had come, it can go on. */
  #isWhole = false;
  #isBusy = false;
  #isWanted = false;
  #isSpoolFull = false;
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();
  #broken: ((cause: unknown) => void) | undefined;
  /** Rejects when the disk or the queue's client breaks in a way that no retry mends. */
  readonly broken: Promise<never>;

  constructor(options: OutboxOptions<Position>) {
    this.#options = options;
    this.#backlog = new Backlog(options.rules);
    this.#sender = new QueueSender(options);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.broken = new Promise((_, reject) => {
      this.#broken = reject;
    });
    // Whoever does not look at it learns it from the others who do.
    this.broken.catch(() => undefined);
  }

  get acknowledged(): Position | undefined {
    return this.#acknowledged;
  }

  /** Compressed bytes in memory. */
  get bytes(): number {
    return this.#backlog.bytes;
  }

  /** Segments that wait, in memory and on disk. */
  get size(): number {
    return this.#backlog.size + (this.#options.spool?.size ?? 0);
  }

  /** Since when the queue has taken nothing, on the clock that is never set back. */
  get failingSince(): number | undefined {
    return this.#sender.failingSince;
  }

  /** Whether more may be read. Who stands by forgets the oldest instead. */
  get hasRoom(): boolean {
    return !this.#isLeading || this.#backlog.bytes <= this.#maxBytes;
  }

  /** Resolves when something was sent, dropped or handed over. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.add(resolve);
    });
  }

  /** Watching begins here; `undefined`: with a first list. What waits already is kept, and leads up to no position. */
  begin(from: Position | undefined): void {
    this.#backlog.begin(from);
    this.#trailing = undefined;
  }

  /** Takes segments; `position` is reached once they and all before them are accepted. */
  add(segments: readonly SealedSegment[], position: Position | undefined): void {
    this.#backlog.add(segments, this.#options.clock.elapsed(), position);
    if (segments.length > 0) this.#trailing = undefined;
    if (!this.#isLeading) this.#forget();
    this.#pump();
  }

  /** Nothing that is worth sending happened up to `position`. */
  advance(position: Position): void {
    this.#backlog.advance(position);
    if (this.#backlog.size > 0) return;
    if (this.size > 0) this.#trailing = position;
    else if (this.#isLeading) this.#acknowledged = position;
  }

  /** What the one who leads has had accepted. */
  passed(position: Position): void {
    if (this.#isLeading) return;
    this.#isWhole = false;
    this.#acknowledged = position;
    this.#forget();
  }

  /** Sends from now on, from where the one before was `acknowledged` to have come. `false`: not everything since then is here. */
  lead(acknowledged: Position | undefined): boolean {
    const from = this.#isWhole ? this.#acknowledged : this.#furtherOf(acknowledged);
    const isCovered = this.#isWhole || this.#backlog.covers(from);
    this.#isWhole = true;
    this.#acknowledged = from;
    this.#dropPassed(from, OVERLAP_MILLIS);
    this.#isLeading = true;
    this.#pump();
    return isCovered;
  }

  /** Where to begin watching, given what was accepted: what is on disk is safe, and need not be seen again. */
  resumeFrom(acknowledged: Position | undefined): Position | undefined {
    const { spool, rules } = this.#options;
    const last = spool?.lastPosition === undefined ? undefined : rules.decode(spool.lastPosition);
    if (last === undefined || acknowledged === undefined) return last ?? acknowledged;
    return rules.reaches(last, acknowledged) ? last : acknowledged;
  }

  /** Sends nothing more. What waits is kept until another is seen to have sent as much. */
  standBy(): void {
    this.#isLeading = false;
    this.#tell();
  }

  /**
   * Resolves when nothing waits, or after `millis`: what still waits then is on disk, where there is a spool, or not acknowledged. A queue that is away is not
   * waited for so long where there is a spool.
   */
  async drain(millis: number): Promise<"sent" | "left"> {
    const { clock, spool } = this.#options;
    const end = clock.elapsed() + millis;
    const early = clock.elapsed() + Math.min(millis, PATIENCE_MILLIS);
    const cancels = [millis, PATIENCE_MILLIS].map((after) => clock.after(after, () => this.#tell()));
    const isEnd = () =>
      clock.elapsed() >= end ||
      (clock.elapsed() >= early && spool !== undefined && this.#sender.failingSince !== undefined);
    while (this.size > 0 && this.#isLeading && !isEnd()) await this.changed();
    for (const cancel of cancels) cancel();
    this.#isClosed = true;
    await this.#restUntil(end);
    // A request that is never answered is not waited for: what it holds is put on disk with the rest, and sent again.
    const isFree = !this.#isBusy || this.#sender.isSending;
    if (this.#backlog.size > 0 && this.#isLeading && isFree) await this.#spill();
    return this.size === 0 ? "sent" : "left";
  }

  /** Resolves when nothing is being done, and at `end` on the clock that is never set back. */
  async #restUntil(end: number): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(Math.max(0, end - clock.elapsed()), resolve);
      void this.#working.then(cancel).then(resolve);
    });
  }

  #furtherOf(acknowledged: Position | undefined): Position | undefined {
    const own = this.#acknowledged;
    if (own === undefined || acknowledged === undefined) return own ?? acknowledged;
    return this.#options.rules.reaches(own, acknowledged) ? own : acknowledged;
  }

  /** What the leader has had accepted is kept for a while; beyond the bound the oldest goes in any case. */
  #forget(): void {
    this.#dropPassed(this.#acknowledged, KEEP_MILLIS);
    while (this.#backlog.bytes > this.#maxBytes) {
      this.#backlog.drop(1);
      this.#isWhole = false;
    }
  }

  #dropPassed(position: Position | undefined, keepMillis: number): void {
    if (position === undefined) return;
    const before = this.#options.clock.elapsed() - keepMillis;
    while ((this.#backlog.oldest?.since ?? before) < before && this.#backlog.isPassed(position)) this.#backlog.drop(1);
  }

  /** Sends and spools, one thing after the other. */
  #pump(): void {
    this.#isWanted = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#working = this.#work().catch((cause: unknown) => this.#broken?.(cause));
  }

  async #work(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      if (this.#shouldSpill()) await this.#spill();
      if (this.#isLeading && !this.#sender.isBackingOff) await this.#sendSome();
    }
    // Here and not in a callback: whoever asks in between would not be heard. What breaks stays broken.
    this.#isBusy = false;
  }

  #shouldSpill(): boolean {
    if (!this.#isLeading || this.#isSpoolFull || this.#backlog.size === 0) return false;
    return this.#sender.failingMillis >= PATIENCE_MILLIS || this.#backlog.bytes > this.#maxBytes / 2;
  }

  /** Puts on disk all that waits in memory, in order. */
  async #spill(): Promise<void> {
    const { spool, rules, observe } = this.#options;
    if (spool === undefined) return;
    const waiting = this.#backlog.peek(this.#backlog.size);
    const outcome = await spool.append(waiting.map((one) => spooled(one, rules)));
    this.#isSpoolFull = outcome === "full";
    if (this.#isSpoolFull) return;
    this.#backlog.dropThrough(waiting.at(-1));
    observe({ kind: "spooled", segments: waiting.length, bytes: spool.bytes });
    this.#tell();
  }

  async #sendSome(): Promise<void> {
    const fromSpool = (await this.#options.spool?.peek(AT_ONCE)) ?? [];
    const fromMemory = fromSpool.length > 0 ? [] : this.#backlog.peek(AT_ONCE);
    if (fromSpool.length === 0 && fromMemory.length === 0) return;
    const { settled, problem } = await this.#sender.send(fromSpool.length > 0 ? fromSpool : fromMemory);
    if (fromSpool.length > 0) await this.#dropSpooled(fromSpool.slice(0, settled));
    else this.#acknowledge(this.#backlog.dropThrough(fromMemory[settled - 1]));
    this.#tell();
    if (problem !== undefined) return this.#sender.backOff(problem, this.size, () => this.#pump());
    this.#sender.recover();
    this.#isWanted = true;
  }

  async #dropSpooled(batch: readonly SpooledSegment[]): Promise<void> {
    await this.#options.spool?.drop(batch.length);
    this.#isSpoolFull = false;
    const text = batch.findLast(({ position }) => position !== undefined)?.position;
    this.#acknowledge(text === undefined ? undefined : this.#options.rules.decode(text));
  }

  #acknowledge(position: Position | undefined): void {
    if (position !== undefined) this.#acknowledged = position;
    if (this.size === 0 && this.#trailing !== undefined) {
      this.#acknowledged = this.#trailing;
      this.#trailing = undefined;
    }
  }

  #tell(): void {
    const waiting = [...this.#changed];
    this.#changed.clear();
    for (const resolve of waiting) resolve();
  }
}

function spooled<Position>(waiting: Waiting<Position>, rules: PositionRules<Position>): SpooledSegment {
  const { bytes, factCount, position } = waiting;
  return { bytes, factCount, ...(position !== undefined && { position: rules.encode(position) }) };
}
