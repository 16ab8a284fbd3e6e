import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { RelistCause } from "./capture-event.ts";
import type { ReflectorStart } from "./reflector-context.ts";
import type { BlindWindow, Step, StepContent } from "./step.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** A blind window that lasts is written down in pieces: the first after this time, each further one after as long as all before it. */
const FIRST_BLIND_MILLIS = 60_000;

/** An Event lives for an hour (`--event-ttl` of the API server) and is only ever added to, so that a list after less tells again all that was missed. */
const RETOLD_MILLIS: Readonly<Partial<Record<WatchedResource, number>>> = { events: 3_600_000 };

/** How far one stream has come, and since when it is blind where it is. */
export class WatchCursor {
  readonly #resource: WatchedResource;
  #epoch: number;
  #resourceVersion: ResourceVersion | undefined;
  #highest: ResourceVersion | undefined;
  #seenAt: Instant;
  #gapReason: string | undefined;
  #blindMillis = FIRST_BLIND_MILLIS;

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

  /** From where a watch can go on; `undefined` where it takes a list. */
  get resourceVersion(): ResourceVersion | undefined {
    return this.#resourceVersion;
  }

  /** The highest of the epoch. */
  get highest(): ResourceVersion | undefined {
    return this.#highest;
  }

  /** The next list closes a blind window. */
  get isBlind(): boolean {
    return this.#gapReason !== undefined;
  }

  /** The stream has told everything up to `resourceVersion`. Of a list, nothing is told before it is complete. */
  moveTo(resourceVersion: ResourceVersion | undefined): void {
    if (resourceVersion === undefined || this.#resourceVersion === undefined) return;
    this.#resourceVersion = larger(this.#resourceVersion, resourceVersion);
    this.#highest = larger(this.#highest, resourceVersion);
  }

  /** Everything up to `instant` has been told, as far as this stream goes. */
  seenUntil(instant: Instant): void {
    if (this.#resourceVersion !== undefined) this.#seenAt = Math.max(this.#seenAt, instant);
  }

  /** A list has told how things stood at some moment from `asOf` to `until`. Returns the blind window that it closes. */
  listed(
    resourceVersion: ResourceVersion,
    { asOf, until }: { readonly asOf: Instant; readonly until: Instant },
  ): BlindWindow | undefined {
    // Not `?? 0`: where the cluster's clock was set back, less than no time has gone by, and the window is there all the same.
    const retold = RETOLD_MILLIS[this.#resource];
    const isRetold = retold !== undefined && until - this.#seenAt < retold;
    const gap = this.#gapReason === undefined || isRetold ? undefined : this.#windowTo(until, this.#gapReason);
    this.#resourceVersion = resourceVersion;
    this.#highest = larger(this.#highest, resourceVersion);
    this.#seenAt = asOf;
    this.#gapReason = undefined;
    this.#blindMillis = FIRST_BLIND_MILLIS;
    return gap;
  }

  /** It cannot be gone on with from here. Returns whether anything was seen, so that it matters. */
  lose(cause: RelistCause): boolean {
    const hasSeen = this.#resourceVersion !== undefined || this.#gapReason !== undefined;
    if (hasSeen) this.#gapReason ??= reasonOf(cause, this.#resourceVersion);
    this.#resourceVersion = undefined;
    return hasSeen;
  }

  /** resourceVersions begin anew. */
  beginEpoch(epoch: number): void {
    this.#epoch = epoch;
    this.#highest = undefined;
  }

  /** Nobody may look, and nobody knows for how long. Returns a piece of the blind window once it is worth one. */
  forbidden(reason: string, now: Instant): BlindWindow | undefined {
    if (this.#resourceVersion !== undefined) return undefined;
    this.#gapReason ??= reason;
    if (now - this.#seenAt < this.#blindMillis) return undefined;
    const piece = this.#windowTo(now, reason);
    this.#seenAt = now;
    this.#blindMillis *= 2;
    return piece;
  }

  step(content: StepContent): Step {
    const resourceVersion = this.#resourceVersion;
    const position = { seenAt: this.#seenAt, ...(resourceVersion !== undefined && { resourceVersion }) };
    return { resource: this.#resource, epoch: this.#epoch, position, ...content };
  }

  /** Objects name whole seconds, so that what they date into the second in which the window begins may lie in it. */
  #windowTo(to: Instant, reason: string): BlindWindow {
    const from = Math.floor(this.#seenAt / 1000) * 1000;
    return { from: Math.min(from, to), to, reason };
  }
}

function larger(known: ResourceVersion | undefined, seen: ResourceVersion): ResourceVersion {
  return known === undefined || seen > known ? seen : known;
}

/** Of a blind window, for people. */
function reasonOf(cause: RelistCause, resourceVersion: ResourceVersion | undefined): string {
  const place = resourceVersion === undefined ? "the last list" : `resourceVersion ${resourceVersion}`;
  switch (cause) {
    case "expired":
      return `The API server no longer knew what had happened since ${place}: it had been restarted, or nobody had asked for too long.`;
    case "restored":
      return "The cluster's resourceVersions went back: etcd was restored from an earlier state.";
    case "refused":
      return `The API server would not go on from ${place}.`;
  }
}
