import { pause } from "../../ports/concurrency/pause.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { RelistCause } from "./capture-event.ts";
import { ConnectionError } from "../connection/connection-error.ts";
import { ResponseProblem } from "../connection/response-problem.ts";
import { CutListError } from "./list-page.ts";
import { PartialList } from "./partial-list.ts";
import type { ReflectorStart, ReflectorContext } from "./reflector-context.ts";
import { type RequestKind, doubtOfStreams, recoveryFor } from "./error-recovery.ts";
import { type OpenedWatch, ResourceReader } from "./resource-reader.ts";
import { RetryState } from "./retry-state.ts";
import type { Observation, Step } from "./step.ts";
import { WatchCursor } from "./watch-cursor.ts";
import { watchErrorOf } from "./watch-error.ts";
import { endsWatch, type WatchEvent } from "./watch-event.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

type Bookmark = Extract<WatchEvent, { readonly kind: "bookmark" }>;

/**
 * The shortest wait that shows that data is current. Data that arrives sooner may have been in a buffer for a long
 * time.
 */
const FRESH_MILLIS = 10;

/** How often a custom resource is looked for that the cluster does not serve. */
const ABSENT_MILLIS = 60_000;

/**
 * Yields all changes of one resource, once and in order, or reports that some were missed. Never ends by itself.
 *
 * It lists, then watches, and each watch continues from the end of the last. Before a watch or another list it requests
 * a small list. If its resourceVersion is lower than one already seen, etcd was restored: a watch from a future
 * resourceVersion would be accepted and stay silent forever. Bookmarks move the cursor but are not required: old
 * servers send none for a quiet resource.
 *
 * A custom resource is watched while the cluster serves it. Meanwhile there is nothing to miss.
 */
export class Reflector {
  readonly #kind: ResourceKind;
  readonly #context: ReflectorContext;
  readonly #reader: ResourceReader;
  readonly #cursor: WatchCursor;
  readonly #retryState: RetryState;
  /** This stream has not listed the existing objects, because it continues the position of another process. */
  #needsInventory: boolean;
  /** The resourceVersions have not decreased since the last request. */
  #isConfirmed = false;
  /** Discovery has found the resource. Every cluster serves those that are built in. */
  #isServed: boolean;
  /** The resource was served at the last discovery that was answered. */
  #wasServed = false;
  /** The latest resourceVersion at the last probe. */
  #probed: ResourceVersion | undefined;
  #request: RequestKind = "probe";
  /** When the watch was accepted. */
  #openedAt: Instant = 0;
  #list: PartialList;

  constructor(kind: ResourceKind, context: ReflectorContext, start: ReflectorStart) {
    this.#kind = kind;
    this.#context = context;
    this.#reader = new ResourceReader({ ...context, kind });
    this.#cursor = new WatchCursor(kind.resource, context.timeline.epoch, start);
    this.#retryState = new RetryState(context.random);
    this.#list = new PartialList(kind.resource, context.clock);
    this.#isServed = !kind.isCustom;
    this.#needsInventory = start.resourceVersion !== undefined && kind.resource !== "events";
  }

  async *run(): AsyncGenerator<Step> {
    const { timeline, signal } = this.#context;
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
    const { timeline, identity } = this.#context;
    if (this.#cursor.epoch !== timeline.epoch) this.#beginEpoch(timeline.epoch);
    if (!this.#isServed) {
      yield* this.#discover();
      return;
    }
    const { resourceVersion, highest } = this.#cursor;
    if (highest !== undefined && !this.#isConfirmed) {
      await this.#confirm(highest);
      return;
    }
    this.#isConfirmed = false;
    if (resourceVersion !== undefined && !this.#needsInventory) {
      yield* this.#watch(resourceVersion);
      return;
    }
    await identity.confirm();
    if (resourceVersion !== undefined) yield* this.#takeInventory();
    else yield* this.#retryState.usesStreamingLists ? this.#streamList() : this.#listPages();
  }

  /** Looks for a custom resource, and waits where the cluster does not serve it. */
  async *#discover(): AsyncGenerator<Step> {
    const { clock, report, serverClock, signal } = this.#context;
    this.#request = "discovery";
    this.#isServed = await this.#reader.discover();
    const isRemoved = !this.#isServed && (this.#wasServed || this.#cursor.resourceVersion !== undefined);
    this.#wasServed = this.#isServed;
    if (this.#isServed) return;
    const at = serverClock.now();
    const { highest: resourceVersion } = this.#cursor;
    this.#cursor.leave(at);
    this.#needsInventory = false;
    if (isRemoved) {
      report({ kind: "removed", resource: this.#kind.resource });
      yield this.#cursor.step({ kind: "removed", at, resourceVersion });
    }
    await pause(ABSENT_MILLIS, signal, clock);
  }

  /** Checks whether the resourceVersions have decreased. */
  async #confirm(highest: ResourceVersion): Promise<void> {
    this.#request = "probe";
    this.#probed = await this.#reader.probe();
    if (this.#probed < highest) this.#context.timeline.raise(this.#cursor.epoch);
    else this.#isConfirmed = true;
  }

  /** Lists the existing objects, so that a later list shows which are missing. */
  async *#takeInventory(): AsyncGenerator<Step> {
    this.#request = "pages";
    for await (const { items } of this.#reader.list({ metadataOnly: true })) {
      yield this.#cursor.step({ kind: "present", objects: items });
    }
    this.#needsInventory = false;
    this.#isConfirmed = true;
  }

  async *#listPages(): AsyncGenerator<Step> {
    this.#request = "pages";
    yield this.#beginList();
    const pages = this.#reader.list();
    let next = await pages.next();
    for (; next.done !== true; next = await pages.next()) {
      const { items, problems } = next.value;
      for (const problem of problems) this.#reject("An object of a list", problem);
      this.#list.count(items.length);
      yield this.#cursor.step({
        kind: "seen",
        observations: items.map((object) => this.#observation("ADDED", object)),
      });
    }
    const { resourceVersion, at } = next.value;
    yield this.#endList(resourceVersion, { asOf: at, until: at, how: "paged" });
    this.#isConfirmed = true;
  }

  /** A streaming list, which continues as a watch. */
  async *#streamList(): AsyncGenerator<Step> {
    this.#request = "streamingList";
    yield this.#beginList();
    yield* this.#follow(await this.#reader.watch(undefined));
    if (this.#cursor.resourceVersion === undefined) {
      throw new CutListError(
        `The API server ended the streaming list of ${this.#kind.resource} early. They are listed again.`,
      );
    }
  }

  async *#watch(from: ResourceVersion): AsyncGenerator<Step> {
    this.#request = "watch";
    const watch = await this.#reader.watch(from);
    this.#context.report({ kind: "watching", resource: this.#kind.resource, resumed: true });
    const hasMoved = yield* this.#follow(watch);
    if (!hasMoved) {
      throw new ConnectionError(`The API server ended a watch of ${this.#kind.resource} before its first event.`);
    }
  }

  /** Yields the steps of a stream until it ends. Returns whether the stream delivered any event. */
  async *#follow({ at, batches }: OpenedWatch): AsyncGenerator<Step, boolean> {
    const { resource } = this.#kind;
    this.#openedAt = at;
    let hasMoved = false;
    // A resumed watch first sends past changes. Its events are current once they reach the probed resourceVersion.
    let isCurrent = this.#request === "streamingList";
    for await (const { events, bytes, waitedMillis } of batches) {
      if (events.length > 0) hasMoved = true;
      isCurrent ||= events.some((event) => this.#reachesProbe(event));
      if (isCurrent && waitedMillis >= FRESH_MILLIS && !events.some(endsWatch)) {
        this.#cursor.seenUntil(this.#context.serverClock.now());
      }
      this.#context.report({ kind: "heard", resource, events: events.length, bytes });
      yield* this.#stepsOf(events);
    }
    return hasMoved;
  }

  /** Whether the event is at or after the resourceVersion that was the latest at the last probe. */
  #reachesProbe(event: WatchEvent): boolean {
    if (endsWatch(event) || event.resourceVersion === undefined || this.#probed === undefined) return false;
    return event.resourceVersion >= this.#probed;
  }

  *#stepsOf(events: readonly WatchEvent[]): Generator<Step> {
    let observations: Observation[] = [];
    let isComplete = false;
    for (const event of events) {
      isComplete = false;
      switch (event.kind) {
        case "change":
          observations.push(this.#observation(event.type, event.object));
          this.#moveTo(event.resourceVersion);
          break;
        case "bookmark":
          if (this.#endsStreamingList(event)) {
            yield* this.#endStreamingList(event.resourceVersion, observations);
            observations = [];
            isComplete = true;
          } else this.#moveTo(event.resourceVersion);
          break;
        case "oversized":
          this.#reject(event.object, "It is larger than any object of a cluster can be, and was skipped.");
          this.#moveTo(event.resourceVersion);
          break;
        case "error":
        case "garbled":
          yield this.#stepOf(observations);
          throw watchErrorOf(event);
      }
    }
    if (!isComplete) yield this.#stepOf(observations);
  }

  /** An object of which only `metadata` was requested has another kind. */
  #observation(type: Observation["type"], object: Observation["object"]): Observation {
    const { isMetadataOnly, kind, apiVersions } = this.#kind;
    if (!isMetadataOnly) return { type, object };
    return { type, object: { apiVersion: apiVersions[0], kind, metadata: object["metadata"] } };
  }

  #stepOf(observations: readonly Observation[]): Step {
    if (this.#request === "streamingList") this.#list.count(observations.length);
    return this.#cursor.step(observations.length === 0 ? { kind: "moved" } : { kind: "seen", observations });
  }

  #moveTo(resourceVersion: ResourceVersion | undefined): void {
    this.#cursor.moveTo(resourceVersion);
    if (this.#request !== "watch") return;
    this.#retryState.move();
  }

  #beginList(): Step {
    this.#list = new PartialList(this.#kind.resource, this.#context.clock);
    return this.#cursor.step({ kind: "listing", closesGap: this.#cursor.hasGap });
  }

  #endsStreamingList(bookmark: Bookmark): bookmark is Bookmark & { readonly resourceVersion: ResourceVersion } {
    return this.#request === "streamingList" && bookmark.endsList && bookmark.resourceVersion !== undefined;
  }

  /** Yields the last `observations` of the list, and its end. The stream continues as a watch. */
  *#endStreamingList(resourceVersion: ResourceVersion, observations: readonly Observation[]): Generator<Step> {
    if (observations.length > 0) yield this.#stepOf(observations);
    const until = this.#context.serverClock.now();
    const end = this.#endList(resourceVersion, { asOf: this.#openedAt, until, how: "streamed" });
    this.#request = "watch";
    yield end;
    this.#context.report({ kind: "watching", resource: this.#kind.resource, resumed: false });
  }

  #endList(
    resourceVersion: ResourceVersion,
    { asOf, until, how }: { readonly asOf: Instant; readonly until: Instant; readonly how: "streamed" | "paged" },
  ): Step {
    const gap = this.#cursor.listed(resourceVersion, { asOf, until });
    this.#needsInventory = false;
    this.#retryState.succeed();
    this.#context.report(this.#list.completed(how));
    const { isPartial } = this.#list;
    return this.#cursor.step({
      kind: "listed",
      resourceVersion,
      at: until,
      isPartial,
      ...(gap !== undefined && { gap }),
    });
  }

  async *#recover(error: unknown): AsyncGenerator<Step> {
    this.#isConfirmed = false;
    this.#retryState.doubtStreamingLists(doubtOfStreams(error, this.#request));
    const recovery = recoveryFor(error, this.#request, this.#context.connection.server);
    switch (recovery.kind) {
      case "restart":
        return;
      case "reopen":
        yield this.#afterIdleTimeout();
        return;
      case "relist":
        this.#lose("expired");
        if (!this.#retryState.countExpired()) return;
        break;
      case "retryBroken":
        this.#countBrokenWatch();
        break;
      case "retryOtherVersion":
        this.#reader.tryOtherVersion();
        this.#isServed = !this.#kind.isCustom;
        break;
      case "retryForbidden":
        this.#isServed = !this.#kind.isCustom;
        yield* this.#recordGap(recovery.error.message);
        break;
      case "retry":
        break;
      case "none":
        throw error;
    }
    await this.#retryLater(recovery.error);
  }

  #countBrokenWatch(): void {
    if (this.#retryState.countBrokenWatch()) this.#lose("refused");
  }

  /** The watch was accepted and then idle: no change was pending when it was accepted. */
  #afterIdleTimeout(): Step {
    const { report, serverClock } = this.#context;
    report({ kind: "stalled", resource: this.#kind.resource, millis: serverClock.now() - this.#openedAt });
    this.#cursor.seenUntil(this.#openedAt);
    this.#retryState.move();
    return this.#cursor.step({ kind: "moved" });
  }

  /** An optional resource without permission is not watched. It has a gap only where it was watched before. */
  *#recordGap(reason: string): Generator<Step> {
    if (this.#kind.isOptional && !this.#cursor.hasGap) return;
    const gap = this.#cursor.forbidden(reason, this.#context.serverClock.now());
    if (gap !== undefined) yield this.#cursor.step({ kind: "gap", gap });
  }

  async #retryLater(error: Error): Promise<void> {
    const { clock, report, signal } = this.#context;
    const retryInMillis = this.#retryState.waitAfter(error);
    const isMissing = this.#kind.isCustom && error instanceof ResponseProblem && error.status === 404;
    if (!isMissing) report({ kind: "problem", resource: this.#kind.resource, message: error.message, retryInMillis });
    await pause(retryInMillis, signal, clock);
  }

  #beginEpoch(epoch: number): void {
    this.#lose("restored");
    this.#cursor.beginEpoch(epoch);
  }

  /** Abandons the resourceVersion. A list starts a new stream. */
  #lose(cause: RelistCause): void {
    this.#needsInventory = false;
    this.#retryState.resetBrokenWatches();
    if (this.#cursor.lose(cause)) this.#context.report({ kind: "relisting", resource: this.#kind.resource, cause });
  }

  #reject(object: string, reason: string): void {
    this.#list.markPartial();
    this.#context.report({ kind: "rejected", resource: this.#kind.resource, object, reason });
  }
}
