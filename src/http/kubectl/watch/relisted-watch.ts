import { SETTLED_AFTER_MS } from "../../../segment/late.ts";
import type { KubeObject } from "../kube-object.ts";
import type { Listing } from "../listing.ts";

/** One watch event, before it is formatted as an object or a table. */
export interface KubeWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly listing: Listing;
}

/**
 * A watch of kinds that the log does not follow (CronJobs, namespaces, Events): each list is compared with the previous
 * one. From an old version, everything is sent again, because it is unknown what has changed since.
 */
export class RelistedWatch {
  readonly #known = new Map<string, { readonly text: string; readonly listing: Listing }>();
  readonly #version: number;
  #isFirst = true;

  /** `version` is the client's resourceVersion in milliseconds; 0 if it receives the existing objects first. */
  constructor(version: number) {
    this.#version = version;
  }

  /** Remembers the existing objects, which were sent already. */
  begin({ objects, only }: Listing): void {
    this.#isFirst = false;
    for (const [index, object] of objects.entries()) {
      this.#known.set(keyOf(object), { text: textOf(object), listing: only(index) });
    }
  }

  /** The differences between the previous list and the list at `now`. */
  *compare({ objects, only }: Listing, now: number): Generator<KubeWatchEvent> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const isFresh = now - this.#version <= SETTLED_AFTER_MS;
    const gone = new Set(this.#known.keys());
    for (const [index, object] of objects.entries()) {
      const key = keyOf(object);
      const before = this.#known.get(key);
      const seen = { text: textOf(object), listing: only(index) };
      gone.delete(key);
      this.#known.set(key, seen);
      const isKnown = isFirst && isFresh && !this.#isSince(object);
      if (isKnown || before?.text === seen.text) continue;
      yield { type: before === undefined && !isFirst ? "ADDED" : "MODIFIED", listing: seen.listing };
    }
    yield* this.#forget(gone);
  }

  *#forget(gone: Iterable<string>): Generator<KubeWatchEvent> {
    for (const key of gone) {
      const { listing } = this.#known.get(key) ?? {};
      this.#known.delete(key);
      if (listing !== undefined) yield { type: "DELETED", listing };
    }
  }

  #isSince({ metadata: { resourceVersion } }: KubeObject): boolean {
    return Number(resourceVersion ?? 0) > this.#version - SETTLED_AFTER_MS;
  }
}

function keyOf({ metadata: { namespace, name, uid } }: KubeObject): string {
  return JSON.stringify([namespace, name, uid]);
}

function textOf(object: KubeObject): string {
  return JSON.stringify(object);
}
