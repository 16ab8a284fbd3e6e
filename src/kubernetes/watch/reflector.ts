import { pause } from "../../concurrency/pause.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { RelistCause } from "./capture-event.ts";
import { ConnectionError } from "../connection/connection-error.ts";
import { CutListError } from "./list-page.ts";
import { ListUnderWay } from "./partial-list.ts";
import type { ReflectorStart, ReflectorContext } from "./reflector-context.ts";
import { type Asking, doubtOfStreams, recoveryFor } from "./error-recovery.ts";
import { type OpenedWatch, ResourceReader } from "./resource-reader.ts";
import { RetryState } from "./retry-state.ts";
import type { Observation, Step } from "./step.ts";
import { WatchCursor } from "./watch-cursor.ts";
import { watchErrorOf } from "./watch-error.ts";
import { endsWatch, type WatchEvent } from "./watch-event.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

/** What was waited for less than this may have lain in a buffer for long. */
const FRESH_MILLIS = 10;

/**
 * Sees to it that everything that happens to one resource is told once and in order, or that it is told that something was missed. Never ends of itself.
 *
 * A list, then watches that go on from each other's end. Before a watch or another list a small list is asked for: where its resourceVersion is lower than
 * one that was seen, etcd was restored, and a watch from the future would be accepted and say nothing, for ever. Bookmarks move the position but are never
 * waited for: old servers send none on a quiet resource.
 */
export class Reflector {
  readonly #kind: ResourceKind;
  readonly #around: ReflectorContext;
  readonly #reader: ResourceReader;
  readonly #place: WatchCursor;
  readonly #retryState: RetryState;
  /** What exists was never asked for here: somebody else has seen it. */
  #needsCensus: boolean;
  /** The resourceVersions have not gone back since the last request. */
  #isConfirmed = false;
  /** The latest resourceVersion there was when that was last asked. */
  #probed: ResourceVersion | undefined;
  #asking: Asking = "probe";
  /** When the watch was answered. */
  #openedAt: Instant = 0;
  #list: ListUnderWay;

  constructor(kind: ResourceKind, around: ReflectorContext, start: ReflectorStart) {
    this.#kind = kind;
    this.#around = around;
    this.#reader = new ResourceReader({ ...around, kind });
    this.#place = new WatchCursor(kind.resource, around.timeline.epoch, start);
    this.#retryState = new RetryState(around.random);
    this.#list = new ListUnderWay(kind.resource, around.clock);
    this.#needsCensus = start.resourceVersion !== undefined && kind.resource !== "events";
  }

  async *run(): AsyncGenerator<Step> {
    const { timeline, signal } = this.#around;
    const stopListening = timeline.onRaise(() => this.#reader.supersede());
    try {
      while (!signal.aborted) {
        try {
          yield* this.#round();
        } catch (error) {
          yield* this.#recover(error);
        }
      }
    } finally {
      stopListening();
    }
  }

  async *#round(): AsyncGenerator<Step> {
    const { timeline, identity } = this.#around;
    if (this.#place.epoch !== timeline.epoch) this.#beginEpoch(timeline.epoch);
    const { resourceVersion, highest } = this.#place;
    if (highest !== undefined && !this.#isConfirmed) {
      await this.#confirm(highest);
      return;
    }
    this.#isConfirmed = false;
    if (resourceVersion !== undefined && !this.#needsCensus) {
      yield* this.#watch(resourceVersion);
      return;
    }
    await identity.confirm();
    if (resourceVersion !== undefined) yield* this.#census();
    else yield* this.#retryState.usesStreamingLists ? this.#streamList() : this.#listPages();
  }

  /** Asks whether the resourceVersions have gone back. */
  async #confirm(highest: ResourceVersion): Promise<void> {
    this.#asking = "probe";
    this.#probed = await this.#reader.probe();
    if (this.#probed < highest) this.#around.timeline.raise(this.#place.epoch);
    else this.#isConfirmed = true;
  }

  /** What exists, for the day when something of it will be missing. */
  async *#census(): AsyncGenerator<Step> {
    this.#asking = "pages";
    for await (const { items } of this.#reader.list({ metadataOnly: true })) {
      yield this.#place.step({ kind: "present", objects: items });
    }
    this.#needsCensus = false;
    this.#isConfirmed = true;
  }

  async *#listPages(): AsyncGenerator<Step> {
    this.#asking = "pages";
    yield this.#beginList();
    const pages = this.#reader.list();
    let next = await pages.next();
    for (; next.done !== true; next = await pages.next()) {
      const { items, problems } = next.value;
      for (const problem of problems) this.#reject("An object of a list", problem);
      this.#list.count(items.length);
      yield this.#place.step({ kind: "seen", observations: items.map((object) => ({ type: "ADDED", object })) });
    }
    const { resourceVersion, at } = next.value;
    yield this.#endList(resourceVersion, { asOf: at, until: at, how: "paged" });
    this.#isConfirmed = true;
  }

  /** A list as a stream, which then goes on as a watch. */
  async *#streamList(): AsyncGenerator<Step> {
    this.#asking = "streamingList";
    yield this.#beginList();
    yield* this.#follow(await this.#reader.watch(undefined));
    if (this.#place.resourceVersion === undefined) {
      throw new CutListError(`The streaming list of ${this.#kind.resource} ended before it was complete.`);
    }
  }

  async *#watch(from: ResourceVersion): AsyncGenerator<Step> {
    this.#asking = "watch";
    const watch = await this.#reader.watch(from);
    this.#around.report({ kind: "watching", resource: this.#kind.resource, resumed: true });
    const hasMoved = yield* this.#follow(watch);
    if (!hasMoved) throw new ConnectionError(`The API server ended the watch of ${this.#kind.resource} at once.`);
  }

  /** Tells what a stream brings, to its end. Returns whether it has brought anything. */
  async *#follow({ at, batches }: OpenedWatch): AsyncGenerator<Step, boolean> {
    const { resource } = this.#kind;
    this.#openedAt = at;
    let hasMoved = false;
    // A watch that goes on first tells what happened since, at whatever pace: until then its events are of the past.
    let isOfNow = this.#asking === "streamingList";
    for await (const { events, bytes, waitedMillis } of batches) {
      if (events.length > 0) hasMoved = true;
      isOfNow ||= events.some((event) => this.#isAsFarAsProbed(event));
      if (isOfNow && waitedMillis >= FRESH_MILLIS && !events.some(endsWatch)) {
        this.#place.seenUntil(this.#around.serverClock.now());
      }
      this.#around.report({ kind: "heard", resource, events: events.length, bytes });
      yield* this.#tell(events);
    }
    return hasMoved;
  }

  /** The event stands after all there was when the watch was begun. */
  #isAsFarAsProbed(event: WatchEvent): boolean {
    if (endsWatch(event) || event.resourceVersion === undefined || this.#probed === undefined) return false;
    return event.resourceVersion >= this.#probed;
  }

  *#tell(events: readonly WatchEvent[]): Generator<Step> {
    let observations: Observation[] = [];
    let isToldUpToHere = false;
    for (const event of events) {
      isToldUpToHere = false;
      switch (event.kind) {
        case "change":
          observations.push(event);
          this.#moveTo(event.resourceVersion);
          break;
        case "bookmark":
          if (event.endsList && event.resourceVersion !== undefined && this.#asking === "streamingList") {
            if (observations.length > 0) yield this.#seen(observations);
            observations = [];
            yield this.#endStreamedList(event.resourceVersion);
            this.#around.report({ kind: "watching", resource: this.#kind.resource, resumed: false });
            isToldUpToHere = true;
          } else this.#moveTo(event.resourceVersion);
          break;
        case "oversized":
          this.#reject(event.object, "It is too large to be an object of a cluster, and was passed over.");
          this.#moveTo(event.resourceVersion);
          break;
        case "error":
        case "garbled":
          yield this.#seen(observations);
          throw watchErrorOf(event);
      }
    }
    if (!isToldUpToHere) yield this.#seen(observations);
  }

  #seen(observations: readonly Observation[]): Step {
    if (this.#asking === "streamingList") this.#list.count(observations.length);
    return this.#place.step(observations.length === 0 ? { kind: "moved" } : { kind: "seen", observations });
  }

  #moveTo(resourceVersion: ResourceVersion | undefined): void {
    this.#place.moveTo(resourceVersion);
    if (this.#asking !== "watch") return;
    this.#retryState.succeed();
  }

  #beginList(): Step {
    this.#list = new ListUnderWay(this.#kind.resource, this.#around.clock);
    return this.#place.step({ kind: "listing", closesGap: this.#place.isBlind });
  }

  #endStreamedList(resourceVersion: ResourceVersion): Step {
    const until = this.#around.serverClock.now();
    const step = this.#endList(resourceVersion, { asOf: this.#openedAt, until, how: "streamed" });
    this.#asking = "watch";
    return step;
  }

  #endList(
    resourceVersion: ResourceVersion,
    { asOf, until, how }: { readonly asOf: Instant; readonly until: Instant; readonly how: "streamed" | "paged" },
  ): Step {
    const gap = this.#place.listed(resourceVersion, { asOf, until });
    this.#needsCensus = false;
    this.#retryState.succeed();
    this.#around.report(this.#list.news(how));
    const { isPartial } = this.#list;
    return this.#place.step({
      kind: "listed",
      resourceVersion,
      at: until,
      isPartial,
      ...(gap !== undefined && { gap }),
    });
  }

  async *#recover(error: unknown): AsyncGenerator<Step> {
    this.#isConfirmed = false;
    this.#retryState.doubtStreamingLists(doubtOfStreams(error, this.#asking));
    const recovery = recoveryFor(error, this.#asking, this.#around.connection.server);
    switch (recovery.kind) {
      case "askAnew":
        return;
      case "reopen":
        yield this.#afterSilence();
        return;
      case "relist":
        this.#lose("expired");
        return;
      case "retryBroken":
        if (this.#retryState.countBrokenWatch()) this.#lose("refused");
        break;
      case "retryOtherVersion":
        this.#reader.tryOtherVersion();
        break;
      case "retryForbidden":
        yield* this.#blind(recovery.error.message);
        break;
      case "retry":
        break;
      case "none":
        throw error;
    }
    await this.#retryLater(recovery.error);
  }

  /** A watch that was accepted and has brought nothing since: when it was accepted, nothing was left to tell. */
  #afterSilence(): Step {
    const { report, serverClock } = this.#around;
    report({ kind: "stalled", resource: this.#kind.resource, millis: serverClock.now() - this.#openedAt });
    this.#place.seenUntil(this.#openedAt);
    this.#retryState.succeed();
    return this.#place.step({ kind: "moved" });
  }

  *#blind(reason: string): Generator<Step> {
    const gap = this.#place.forbidden(reason, this.#around.serverClock.now());
    if (gap !== undefined) yield this.#place.step({ kind: "blind", gap });
  }

  async #retryLater(error: Error): Promise<void> {
    const { clock, report, signal } = this.#around;
    const retryInMillis = this.#retryState.waitAfter(error);
    report({ kind: "problem", resource: this.#kind.resource, message: error.message, retryInMillis });
    await pause(retryInMillis, signal, clock);
  }

  #beginEpoch(epoch: number): void {
    this.#lose("restored");
    this.#place.beginEpoch(epoch);
  }

  /** The stream cannot be gone on with: a list begins another one. */
  #lose(cause: RelistCause): void {
    this.#needsCensus = false;
    this.#retryState.resetBrokenWatches();
    if (this.#place.lose(cause)) this.#around.report({ kind: "relisting", resource: this.#kind.resource, cause });
  }

  #reject(object: string, reason: string): void {
    this.#list.lack();
    this.#around.report({ kind: "rejected", resource: this.#kind.resource, object, reason });
  }
}
