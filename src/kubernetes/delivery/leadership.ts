import type { Instant } from "../../job/model/instant.ts";
import type { Lease, LeaseStore, LeaseWriteOutcome, StoredLease } from "../../ports/lease-store.ts";
import type { Clock } from "../../ports/runtime/clock.ts";

export interface LeadershipOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** The unique name of this process. */
  readonly identity: string;
  /** The position to store with each renewal: how far segments were accepted. */
  readonly position: () => string | undefined;
  /** This replica must send from `position` on. */
  readonly onLead: (position: string | undefined) => void;
  /** Another replica holds the lease and has reached `position`. */
  readonly onFollow: (position: string | undefined) => void;
  /** This replica must stop sending at once. */
  readonly onLost: (reason: string) => void;
  /** The lease can be neither read nor written. The next round tries again. */
  readonly onUnknown: (cause: unknown) => void;
}

/** The duration of the lease. A takeover takes about 10 s, including the time to notice that the lease is free. */
const LEASE_MILLIS = 8000;
const RENEW_EVERY_MILLIS = 2000;
/** A waiting replica reads more often, so that it knows the last renewal more precisely. */
const READ_EVERY_MILLIS = 1000;
/** A holder that cannot renew gives up before another replica can take over. */
const RENEW_WITHIN_MILLIS = 6000;

/**
 * Holds a lease, or waits for it. Clocks are never compared: a holder is gone when its lease has not changed for its
 * duration, measured by the waiting replica (as in client-go's leaderelection). The holder measures from the start of
 * its last successful renewal. If two replicas briefly hold the lease, facts repeat but are not lost.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  /** The lease as last read, and since when it is unchanged. */
  #lastRead: { readonly lease: StoredLease; readonly since: number } | undefined;
  /** When the last successful renewal started. */
  #renewedAt: number | undefined;
  #cancelNext: (() => void) | undefined;
  #cancelExpiry: (() => void) | undefined;
  #isStopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** The holder of the lease, as last read. */
  get holder(): string | undefined {
    return this.#lastRead?.lease.holder;
  }

  get isHeld(): boolean {
    return this.#renewedAt !== undefined;
  }

  start(): void {
    this.#round = this.#run();
  }

  /** Releases the lease with the last position, so that another replica need not wait. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelNext?.();
    this.#cancelExpiry?.();
    await this.#round;
    const lease = this.#lastRead?.lease;
    if (this.#renewedAt === undefined || lease === undefined) return;
    const released = { ...this.#ownLease(lease), holder: "" };
    this.#renewedAt = undefined;
    try {
      await this.#options.store.replace(released, lease.revision);
    } catch (cause) {
      this.#options.onUnknown(cause);
    }
  }

  async #run(): Promise<void> {
    try {
      await this.#once();
    } catch (cause) {
      this.#options.onUnknown(cause);
    }
    if (this.#isStopped) return;
    this.#cancelNext = this.#options.clock.after(this.isHeld ? RENEW_EVERY_MILLIS : READ_EVERY_MILLIS, () => {
      this.#round = this.#run();
    });
  }

  async #once(): Promise<void> {
    const { store, identity } = this.#options;
    const startedAt = this.#options.clock.elapsed();
    const lease = await store.read();
    if (lease !== undefined) this.#note(lease);
    if (lease === undefined) return this.#handleWrite(await store.create(this.#ownLease(undefined)), startedAt);
    if (lease.holder === identity || this.#isFree(lease)) {
      return this.#handleWrite(await store.replace(this.#ownLease(lease), lease.revision), startedAt);
    }
    this.#lose(`${lease.holder} holds the lease.`);
    this.#options.onFollow(lease.position);
  }

  #note(lease: StoredLease): void {
    if (this.#lastRead?.lease.revision === lease.revision) return;
    this.#lastRead = { lease, since: this.#options.clock.elapsed() };
  }

  /** Whether the lease was released, or not renewed for its duration. */
  #isFree(lease: StoredLease): boolean {
    const since = this.#lastRead?.since ?? Infinity;
    return (
      lease.holder === "" ||
      this.#options.clock.elapsed() - since >= Math.max(LEASE_MILLIS, lease.durationSeconds * 1000)
    );
  }

  /** A conflict means that another replica wrote. The next round reads its lease. */
  #handleWrite(written: LeaseWriteOutcome, startedAt: number): void {
    if (written.outcome === "conflict") return;
    const wasHeld = this.isHeld;
    const before = this.#lastRead?.lease.position;
    this.#note(written.lease);
    this.#renewedAt = startedAt;
    this.#watchExpiry(startedAt);
    if (!wasHeld) this.#options.onLead(before);
  }

  #watchExpiry(startedAt: number): void {
    const { clock } = this.#options;
    this.#cancelExpiry?.();
    const left = startedAt + RENEW_WITHIN_MILLIS - clock.elapsed();
    this.#cancelExpiry = clock.after(Math.max(0, left), () =>
      this.#lose(`The lease could not be renewed for ${RENEW_WITHIN_MILLIS / 1000} s.`),
    );
  }

  #lose(reason: string): void {
    if (this.#renewedAt === undefined) return;
    this.#renewedAt = undefined;
    this.#cancelExpiry?.();
    this.#options.onLost(reason);
  }

  #ownLease(lease: StoredLease | undefined): Lease {
    const { identity, clock, position } = this.#options;
    const now = clock.now();
    // A new holder keeps the previous position until its own segments are accepted.
    const storedPosition = (this.isHeld ? position() : undefined) ?? lease?.position;
    return {
      holder: identity,
      durationSeconds: LEASE_MILLIS / 1000,
      renewedAt: now,
      ...termOf(lease, identity, now),
      ...(storedPosition !== undefined && { position: storedPosition }),
    };
  }
}

/** A renewal keeps the time of acquisition. A takeover counts as a transition. */
function termOf(
  lease: StoredLease | undefined,
  identity: string,
  now: Instant,
): Pick<Lease, "acquiredAt" | "transitions"> {
  if (lease === undefined) return { acquiredAt: now, transitions: 0 };
  const { holder, acquiredAt, transitions } = lease;
  return holder === identity ? { acquiredAt, transitions } : { acquiredAt: now, transitions: transitions + 1 };
}
