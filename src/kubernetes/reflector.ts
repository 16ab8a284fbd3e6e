import type { Instant } from "../job/instant.ts";
import type { ResourceVersion } from "../job/order.ts";
import { GivenUpError } from "./attempt.ts";
import { BackOff } from "./back-off.ts";
import type { RelistCause } from "./capture-news.ts";
import { ConnectionError } from "./connection-error.ts";
import { CutListError } from "./list-page.ts";
import { pause } from "./pause.ts";
import type { ReflectorStart, ReflectorSurroundings } from "./reflector-surroundings.ts";
import { type OpenedWatch, ResourceReader } from "./resource-reader.ts";
import { ResponseProblem } from "./response-problem.ts";
import type { Sight, Step } from "./step.ts";
import { StreamPlace } from "./stream-place.ts";
import { BrokenWatchError, ExpiredError, watchErrorOf } from "./watch-error.ts";
import { endsWatch, type WatchEvent } from "./watch-event.ts";
import type { ResourceKind } from "./watched-resource.ts";

/** What was waited for less than this may have lain in a buffer for long. */
const FRESH_MILLIS = 10;
/** So many watches in a row that break at one place: the server will not go on from there. So many broken streaming lists: pages instead. */
const MOST_BROKEN = 3;

/** What is being asked of the API server. */
type Asking = "probe" | "pages" | "streamingList" | "watch";

/**
 * Sees to it that everything that happens to one resource is told once and in order, or that it is told that something was missed. Never ends of itself.
 *
 * A list, then watches that go on from each other's end. Before a watch or another list a small list is asked for: where its resourceVersion is lower than
 * one that was seen, etcd was restored, and a watch from the future would be accepted and say nothing, for ever. Bookmarks move the position but are never
 * waited for: old servers send none on a quiet resource.
 */
export class Reflector {
  readonly #kind: ResourceKind;
  readonly #around: ReflectorSurroundings;
  readonly #reader: ResourceReader;
  readonly #place: StreamPlace;
  readonly #backOff: BackOff;
  /** What exists was never asked for here: somebody else has seen it. */
  #needsCensus: boolean;
  /** The resourceVersions have not gone back since the last request. */
  #isConfirmed = false;
  /** The latest resourceVersion there was when that was last asked. */
  #probed: ResourceVersion | undefined;
  #asking: Asking = "probe";
  /** When the watch was answered. */
  #openedAt: Instant = 0;
  #streams = true;
  #brokenStreams = 0;
  #brokenWatches = 0;
  /** Of the list that is under way: how many objects it had, when it began, and whether some could not be read. */
  #listed = 0;
  #listBeganAt = 0;
  #isPartial = false;

  constructor(kind: ResourceKind, around: ReflectorSurroundings, start: ReflectorStart) {
    this.#kind = kind;
    this.#around = around;
    this.#reader = new ResourceReader({ ...around, kind });
    this.#place = new StreamPlace(kind.resource, around.timeline.epoch, start);
    this.#backOff = new BackOff(around.random);
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
    else yield* this.#streams ? this.#streamList() : this.#listPages();
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
      this.#listed += items.length;
      yield this.#place.step({ kind: "seen", sights: items.map((object) => ({ type: "ADDED", object })) });
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
    let sights: Sight[] = [];
    let isToldUpToHere = false;
    for (const event of events) {
      isToldUpToHere = false;
      switch (event.kind) {
        case "change":
          sights.push(event);
          this.#moveTo(event.resourceVersion);
          break;
        case "bookmark":
          if (event.endsList && event.resourceVersion !== undefined && this.#asking === "streamingList") {
            if (sights.length > 0) yield this.#seen(sights);
            sights = [];
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
          yield this.#seen(sights);
          throw watchErrorOf(event);
      }
    }
    if (!isToldUpToHere) yield this.#seen(sights);
  }

  #seen(sights: readonly Sight[]): Step {
    if (this.#asking === "streamingList") this.#listed += sights.length;
    return this.#place.step(sights.length === 0 ? { kind: "moved" } : { kind: "seen", sights });
  }

  #moveTo(resourceVersion: ResourceVersion | undefined): void {
    this.#place.moveTo(resourceVersion);
    if (this.#asking !== "watch") return;
    this.#brokenWatches = 0;
    this.#backOff.reset();
  }

  #beginList(): Step {
    this.#listed = 0;
    this.#listBeganAt = this.#around.clock.elapsed();
    this.#isPartial = false;
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
    const { clock, report } = this.#around;
    const gap = this.#place.listed(resourceVersion, { asOf, until });
    this.#needsCensus = false;
    this.#brokenWatches = 0;
    this.#backOff.reset();
    const millis = Math.round(clock.elapsed() - this.#listBeganAt);
    report({ kind: "listed", resource: this.#kind.resource, objects: this.#listed, millis, how });
    const isPartial = this.#isPartial;
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
    if (error instanceof GivenUpError) yield* this.#afterGivingUp(error);
    else if (isExpired(error) && this.#asking !== "probe") this.#afterExpiry();
    else if (error instanceof BrokenWatchError) await this.#afterBreaking(error);
    else if (error instanceof ResponseProblem) yield* this.#afterRefusal(error);
    else if (error instanceof ConnectionError || error instanceof CutListError) await this.#retryLater(error);
    else throw error;
  }

  async *#afterGivingUp({ reason }: GivenUpError): AsyncGenerator<Step> {
    const { server } = this.#around.connection;
    switch (reason) {
      case "stopped":
      case "superseded":
        return;
      case "unanswered":
        await this.#retryLater(new ConnectionError(`${server} took a request and did not answer it.`));
        return;
      case "silent":
        // A server that ignores what it does not know has begun a plain watch, which tells what there is and never that this was all.
        if (this.#asking === "streamingList") this.#streams = false;
        if (this.#asking === "watch") yield this.#afterSilence();
        else await this.#retryLater(new ConnectionError(`${server} stopped in the middle of an answer.`));
    }
  }

  /** A watch that was accepted and has brought nothing since: when it was accepted, nothing was left to tell. */
  #afterSilence(): Step {
    const { report, serverClock } = this.#around;
    report({ kind: "stalled", resource: this.#kind.resource, millis: serverClock.now() - this.#openedAt });
    this.#place.seenUntil(this.#openedAt);
    this.#backOff.reset();
    return this.#place.step({ kind: "moved" });
  }

  #afterExpiry(): void {
    if (this.#asking === "streamingList") this.#doubtStreams();
    this.#lose("expired");
  }

  async #afterBreaking(error: BrokenWatchError): Promise<void> {
    if (this.#asking === "streamingList") this.#doubtStreams();
    this.#brokenWatches += 1;
    if (this.#brokenWatches >= MOST_BROKEN) this.#lose("refused");
    await this.#retryLater(error);
  }

  async *#afterRefusal(error: ResponseProblem): AsyncGenerator<Step> {
    const { status } = error;
    if (this.#asking === "streamingList" && (status === 400 || status === 422)) {
      this.#streams = false;
      return;
    }
    if (this.#asking === "streamingList" && status >= 500) this.#doubtStreams();
    if (status === 404) this.#reader.tryOtherVersion();
    const gap = status === 403 ? this.#place.forbidden(error.message, this.#around.serverClock.now()) : undefined;
    if (gap !== undefined) yield this.#place.step({ kind: "blind", gap });
    await this.#retryLater(error);
  }

  /** Pages are older and do more easily what a streaming list has failed at. */
  #doubtStreams(): void {
    this.#brokenStreams += 1;
    if (this.#brokenStreams >= MOST_BROKEN) this.#streams = false;
  }

  async #retryLater(error: Error): Promise<void> {
    const { clock, report, signal } = this.#around;
    const asked = error instanceof ResponseProblem ? (error.retryAfterMillis ?? 0) : 0;
    const retryInMillis = Math.max(asked, this.#backOff.next());
    report({ kind: "problem", resource: this.#kind.resource, message: error.message, retryInMillis });
    await pause(clock, retryInMillis, signal);
  }

  #beginEpoch(epoch: number): void {
    this.#lose("restored");
    this.#place.beginEpoch(epoch);
  }

  /** The stream cannot be gone on with: a list begins another one. */
  #lose(cause: RelistCause): void {
    this.#needsCensus = false;
    this.#brokenWatches = 0;
    if (this.#place.lose(cause)) this.#around.report({ kind: "relisting", resource: this.#kind.resource, cause });
  }

  #reject(object: string, reason: string): void {
    this.#isPartial = true;
    this.#around.report({ kind: "rejected", resource: this.#kind.resource, object, reason });
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof ExpiredError || (error instanceof ResponseProblem && error.status === 410);
}
