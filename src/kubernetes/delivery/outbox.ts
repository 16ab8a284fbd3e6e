import type { Spool, SpooledSegment } from "../../ports/spool.ts";
import type { SealedSegment } from "../../segment/segment.ts";
import { Backlog, type Waiting } from "./backlog.ts";
import type { PositionRules } from "./position-rules.ts";
import { QueueSender, type QueueSenderOptions } from "./queue-sender.ts";

export interface OutboxOptions<Position> extends QueueSenderOptions {
  readonly spool?: Spool;
  readonly rules: PositionRules<Position>;
  /** The maximum number of compressed bytes in memory. @default 32 MiB */
  readonly maxBytes?: number;
}

/** Half an hour at 400 facts per second. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The maximum number of segments per request, by default: SendMessageBatch of SQS accepts ten. */
const BATCH_SEGMENTS = 10;
/** A longer outage spills to disk, because segments in memory are lost with the process. */
const SPILL_AFTER_MILLIS = 5000;
/** How long a standby replica keeps segments that the leader delivered. */
const KEEP_MILLIS = 5 * 60_000;
/**
 * A new leader repeats accepted segments of this time: replicas observe events at different times, and repeats are
 * harmless.
 */
const OVERLAP_MILLIS = 10_000;

/**
 * Sealed segments on their way to the queue. While this replica leads, it sends them in order, each until it is
 * accepted or refused permanently. Segments beyond the memory limit wait on disk; if the disk is full too, {@link
 * Outbox.hasRoom} is false and the reader must stop. A standby replica keeps a limited number of segments until it
 * leads.
 *
 * {@link Outbox.acknowledged} moves only when all earlier segments are accepted: a capture from there misses nothing.
 */
export class Outbox<Position> {
  readonly #options: OutboxOptions<Position>;
  readonly #backlog: Backlog<Position>;
  readonly #sender: QueueSender;
  readonly #maxBytes: number;
  readonly #changed = new Set<() => void>();
  #acknowledged: Position | undefined;
  /** The position to report when nothing is waiting. */
  #trailing: Position | undefined;
  #isLeading = false;
  /**
   * Whether the outbox has everything since this replica last led, and no other replica has led since. Then it can
   * continue from any position.
   */
  #isWhole = false;
  #isBusy = false;
  #hasMoreWork = false;
  #isSpoolFull = false;
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();
  #reject: ((cause: unknown) => void) | undefined;
  /** Rejects when the spool or the queue's client fails in a way that no retry fixes. */
  readonly broken: Promise<never>;

  constructor(options: OutboxOptions<Position>) {
    this.#options = options;
    this.#backlog = new Backlog(options.rules);
    this.#sender = new QueueSender(options);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.broken = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Avoids an unhandled rejection where a caller does not await it.
    this.broken.catch(() => undefined);
  }

  get acknowledged(): Position | undefined {
    return this.#acknowledged;
  }

  /** The compressed bytes in memory. */
  get bytes(): number {
    return this.#backlog.bytes;
  }

  /** The number of waiting segments, in memory and on disk. */
  get size(): number {
    return this.#backlog.size + (this.#options.spool?.size ?? 0);
  }

  /** Since when the oldest segment in memory waits, on the monotonic clock; `undefined` if none does. */
  get waitingSince(): number | undefined {
    return this.#backlog.oldest?.since;
  }

  /** When the queue stopped accepting segments, on the monotonic clock; `undefined` while it accepts them. */
  get failingSince(): number | undefined {
    return this.#sender.failingSince;
  }

  /** Whether the reader may continue. A standby replica drops its oldest segments instead. */
  get hasRoom(): boolean {
    return !this.#isLeading || this.#backlog.bytes <= this.#maxBytes;
  }

  /** Resolves when segments were sent, dropped or spooled. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.add(resolve);
    });
  }

  /**
   * Watching starts at `from`; `undefined` means with a first list. Waiting segments are kept, but no longer move the
   * position.
   */
  begin(from: Position | undefined): void {
    this.#backlog.begin(from);
    this.#trailing = undefined;
  }

  /**
   * Adds segments. `position` is reached when they and all earlier segments are accepted. `through` is the position up
   * to which they have facts; it is later while facts of earlier events are held back.
   */
  add(segments: readonly SealedSegment[], position: Position | undefined, through = position): void {
    this.#backlog.add(segments, this.#options.clock.elapsed(), {
      ...(position !== undefined && { position }),
      ...(through !== undefined && { through }),
    });
    if (segments.length > 0) this.#trailing = undefined;
    if (!this.#isLeading) this.#trim();
    this.#pump();
  }

  /** The watch has reached `position` without new facts. */
  advance(position: Position): void {
    this.#backlog.advance(position);
    if (this.#backlog.size > 0) return;
    if (this.size > 0) this.#trailing = position;
    else if (this.#isLeading) this.#acknowledged = position;
  }

  /** The leader's segments up to `position` were accepted. */
  passed(position: Position): void {
    if (this.#isLeading) return;
    this.#isWhole = false;
    this.#acknowledged = position;
    this.#trim();
  }

  /**
   * Starts to send after the position that the previous leader `acknowledged`. Returns false if the outbox lacks
   * segments since then.
   */
  lead(acknowledged: Position | undefined): boolean {
    const from = this.#isWhole ? this.#acknowledged : this.#laterOf(acknowledged);
    const isCovered = this.#isWhole || this.#backlog.covers(from);
    this.#isWhole = true;
    this.#acknowledged = from;
    this.#dropPassed(from, OVERLAP_MILLIS);
    this.#isLeading = true;
    this.#pump();
    return isCovered;
  }

  /**
   * Where to start watching, given the acknowledged position. Segments on disk are safe and need no second
   * observation.
   */
  resumeFrom(acknowledged: Position | undefined): Position | undefined {
    const { spool, rules } = this.#options;
    const last = spool?.lastPosition === undefined ? undefined : rules.decode(spool.lastPosition);
    if (last === undefined || acknowledged === undefined) return last ?? acknowledged;
    return rules.reaches(last, acknowledged) ? last : acknowledged;
  }

  /** Stops sending. Keeps segments until the next leader has delivered them. */
  standBy(): void {
    this.#isLeading = false;
    this.#notify();
  }

  /**
   * Resolves when nothing waits, or after `millis`. Remaining segments are then on disk if there is a spool, and
   * otherwise not acknowledged. With a spool, it does not wait as long for an unavailable queue.
   */
  async drain(millis: number): Promise<"sent" | "left"> {
    const { clock, spool } = this.#options;
    const end = clock.elapsed() + millis;
    const early = clock.elapsed() + Math.min(millis, SPILL_AFTER_MILLIS);
    const cancels = [millis, SPILL_AFTER_MILLIS].map((after) => clock.after(after, () => this.#notify()));
    const isEnd = () =>
      clock.elapsed() >= end ||
      (clock.elapsed() >= early && spool !== undefined && this.#sender.failingSince !== undefined);
    while (this.size > 0 && this.#isLeading && !isEnd()) await this.changed();
    for (const cancel of cancels) cancel();
    this.#isClosed = true;
    await this.#restUntil(end);
    // A request without a response is not awaited: its segments are spooled too, and sent again.
    const isFree = !this.#isBusy || this.#sender.isSending;
    if (this.#backlog.size > 0 && this.#isLeading && isFree) await this.#spill();
    return this.size === 0 ? "sent" : "left";
  }

  /** Resolves when no work is in progress, and at the latest at `end` on the monotonic clock. */
  async #restUntil(end: number): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(Math.max(0, end - clock.elapsed()), resolve);
      void this.#working.then(cancel).then(resolve);
    });
  }

  #laterOf(acknowledged: Position | undefined): Position | undefined {
    const own = this.#acknowledged;
    if (own === undefined || acknowledged === undefined) return own ?? acknowledged;
    return this.#options.rules.reaches(own, acknowledged) ? own : acknowledged;
  }

  /** Drops segments that the leader delivered some time ago, and the oldest ones beyond the memory limit. */
  #trim(): void {
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

  /** Starts to send and spool, one step at a time. */
  #pump(): void {
    this.#hasMoreWork = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#working = this.#work().catch((cause: unknown) => this.#reject?.(cause));
  }

  async #work(): Promise<void> {
    while (this.#hasMoreWork && !this.#isClosed) {
      this.#hasMoreWork = false;
      if (this.#shouldSpill()) await this.#spill();
      if (this.#isLeading && !this.#sender.isBackingOff) await this.#sendSome();
    }
    // Set here and not in a callback, which would miss a request in between. After an error it stays set.
    this.#isBusy = false;
  }

  #shouldSpill(): boolean {
    if (!this.#isLeading || this.#isSpoolFull || this.#backlog.size === 0) return false;
    return this.#sender.failingMillis >= SPILL_AFTER_MILLIS || this.#backlog.bytes > this.#maxBytes / 2;
  }

  /** Moves all waiting segments to disk, in order. */
  async #spill(): Promise<void> {
    const { spool, rules, observe } = this.#options;
    if (spool === undefined) return;
    const waiting = this.#backlog.peek(this.#backlog.size);
    const outcome = await spool.append(waiting.map((one) => spooled(one, rules)));
    this.#isSpoolFull = outcome === "full";
    if (this.#isSpoolFull) return;
    this.#backlog.dropThrough(waiting.at(-1));
    observe({ kind: "spooled", segments: waiting.length, bytes: spool.bytes });
    this.#notify();
  }

  async #sendSome(): Promise<void> {
    const { spool, queue } = this.#options;
    const most = queue.maxSegments ?? BATCH_SEGMENTS;
    const fromSpool = (await spool?.peek(most)) ?? [];
    const fromMemory = fromSpool.length > 0 ? [] : this.#backlog.peek(most);
    if (fromSpool.length === 0 && fromMemory.length === 0) return;
    const { settled, problem } = await this.#sender.send(fromSpool.length > 0 ? fromSpool : fromMemory);
    if (fromSpool.length > 0) await this.#dropSpooled(fromSpool.slice(0, settled));
    else this.#acknowledge(this.#backlog.dropThrough(fromMemory[settled - 1]));
    this.#notify();
    if (problem !== undefined) return this.#sender.backOff(problem, this.size, () => this.#pump());
    this.#sender.recover();
    this.#hasMoreWork = true;
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

  #notify(): void {
    const waiting = [...this.#changed];
    this.#changed.clear();
    for (const resolve of waiting) resolve();
  }
}

function spooled<Position>(waiting: Waiting<Position>, rules: PositionRules<Position>): SpooledSegment {
  const { bytes, factCount, position } = waiting;
  return { bytes, factCount, ...(position !== undefined && { position: rules.encode(position) }) };
}
