import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { RelistCause } from "./capture-event.ts";
import type { ReflectorStart } from "./reflector-context.ts";
import type { WatchGap, Step, StepContent } from "./step.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** A long gap is recorded in pieces: the first after this time, each later one after twice the time. */
const FIRST_GAP_MILLIS = 60_000;

/**
 * The API server keeps an Event for an hour (`--event-ttl`) and only adds to it. A list after a shorter gap therefore
 * contains everything that was missed. Of a namespace, only the latest state counts, which every list contains.
 */
const RELISTED_MILLIS: Readonly<Partial<Record<WatchedResource, number>>> = {
  events: 3_600_000,
  namespaces: Infinity,
};

/** The position of one stream, and since when it has a gap. */
export class WatchCursor {
  readonly #resource: WatchedResource;
  #epoch: number;
  #resourceVersion: ResourceVersion | undefined;
  #highest: ResourceVersion | undefined;
  #seenAt: Instant;
  #gapReason: string | undefined;
  #gapMillis = FIRST_GAP_MILLIS;

  constructor(resource: WatchedResource, epoch: number, { resourceVersion, seenAt, gapReason }: ReflectorStart) {
    this.#resource = resource;
    this.#epoch = epoch;
    this.#resourceVersion = resourceVersion;
    this.#highest = resourceVersion;
    this.#seenAt = seenAt;
    this.#gapReason = gapReason;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Where a watch can continue; `undefined` where a list is needed. */
  get resourceVersion(): ResourceVersion | undefined {
    return this.#resourceVersion;
  }

  /** The highest resourceVersion of the epoch. */
  get highest(): ResourceVersion | undefined {
    return this.#highest;
  }

  /** Whether the next list closes a gap. */
  get hasGap(): boolean {
    return this.#gapReason !== undefined;
  }

  /** All changes up to `resourceVersion` were observed. A list does not move the cursor before it is complete. */
  moveTo(resourceVersion: ResourceVersion | undefined): void {
    if (resourceVersion === undefined || this.#resourceVersion === undefined) return;
    this.#resourceVersion = larger(this.#resourceVersion, resourceVersion);
    this.#highest = larger(this.#highest, resourceVersion);
  }

  /** This stream is complete up to `instant`. */
  seenUntil(instant: Instant): void {
    if (this.#resourceVersion !== undefined) this.#seenAt = Math.max(this.#seenAt, instant);
  }

  /** A list showed the state at some instant from `asOf` to `until`. Returns the gap that it closes. */
  listed(
    resourceVersion: ResourceVersion,
    { asOf, until }: { readonly asOf: Instant; readonly until: Instant },
  ): WatchGap | undefined {
    // Not `?? 0`: if the cluster's clock was set back, the time is negative, but there is a gap.
    const relistedMillis = RELISTED_MILLIS[this.#resource];
    const isRelisted = relistedMillis !== undefined && until - this.#seenAt < relistedMillis;
    const gap = this.#gapReason === undefined || isRelisted ? undefined : this.#gapTo(until, this.#gapReason);
    this.#resourceVersion = resourceVersion;
    this.#highest = larger(this.#highest, resourceVersion);
    this.#seenAt = asOf;
    this.#gapReason = undefined;
    this.#gapMillis = FIRST_GAP_MILLIS;
    return gap;
  }

  /** The stream cannot continue from here. Returns whether it had observed anything. */
  lose(cause: RelistCause): boolean {
    const hasSeen = this.#resourceVersion !== undefined || this.#gapReason !== undefined;
    if (hasSeen) this.#gapReason ??= reasonOf(cause, this.#resourceVersion);
    this.#resourceVersion = undefined;
    return hasSeen;
  }

  /** The cluster does not serve the resource, so there is nothing to miss. */
  leave(now: Instant): void {
    this.#resourceVersion = undefined;
    this.#gapReason = undefined;
    this.#seenAt = now;
  }

  /** resourceVersions start anew. */
  beginEpoch(epoch: number): void {
    this.#epoch = epoch;
    this.#highest = undefined;
  }

  /** Access is denied for an unknown time. Returns a piece of the gap once it is long enough. */
  forbidden(reason: string, now: Instant): WatchGap | undefined {
    if (this.#resourceVersion !== undefined || RELISTED_MILLIS[this.#resource] === Infinity) return undefined;
    this.#gapReason ??= reason;
    if (now - this.#seenAt < this.#gapMillis) return undefined;
    const piece = this.#gapTo(now, reason);
    this.#seenAt = now;
    this.#gapMillis *= 2;
    return piece;
  }

  step(content: StepContent): Step {
    const resourceVersion = this.#resourceVersion;
    const position = { seenAt: this.#seenAt, ...(resourceVersion !== undefined && { resourceVersion }) };
    return { resource: this.#resource, epoch: this.#epoch, position, ...content };
  }

  /** Instants of objects are whole seconds, so instants in the second in which the gap starts may lie within it. */
  #gapTo(to: Instant, reason: string): WatchGap {
    const from = Math.floor(this.#seenAt / 1000) * 1000;
    return { from: Math.min(from, to), to, reason };
  }
}

function larger(known: ResourceVersion | undefined, seen: ResourceVersion): ResourceVersion {
  return known === undefined || seen > known ? seen : known;
}

/** The reason of a gap, as a sentence. */
function reasonOf(cause: RelistCause, resourceVersion: ResourceVersion | undefined): string {
  const since = resourceVersion === undefined ? "the last list" : `resourceVersion ${resourceVersion}`;
  switch (cause) {
    case "expired":
      return `The API server no longer had the changes since ${since}: it restarted, or the watch paused too long.`;
    case "restored":
      return "The cluster's resourceVersions decreased: etcd was restored from an earlier state.";
    case "refused":
      return `The API server failed repeatedly to continue from ${since}.`;
  }
}
