import type { Lease, LeaseStore, LeaseWriteOutcome, StoredLease } from "../ports/lease-store.ts";
import type { Clock } from "../runtime/clock.ts";

export interface LeadershipOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Who this is: no other process, before or after, has this name. */
  readonly identity: string;
  /** What to write down with each renewal: how far segments were accepted. */
  readonly position: () => string | undefined;
  /** This replica is to send, from `position` on. */
  readonly onLead: (position: string | undefined) => void;
  /** Another one holds the lease, and has come to `position`. */
  readonly onFollow: (position: string | undefined) => void;
  /** This replica is to send nothing more, from this moment on. */
  readonly onLost: (reason: string) => void;
  /** The lease can be neither read nor written. It is tried again. */
  readonly onUnknown: (cause: unknown) => void;
}

/** How long a holder that says nothing is believed to live: with what it takes to notice, a take-over takes about 10 s. */
const LEASE_MILLIS = 8000;
const RENEW_EVERY_MILLIS = 2000;
/** Who waits looks more often, so that it knows sooner when it was renewed last. */
const LOOK_EVERY_MILLIS = 1000;
/** A holder that could not say so gives up before others take over. */
const RENEW_WITHIN_MILLIS = 6000;

/**
 * Holds a lease, or waits for it. Clocks are never compared: a holder is gone when its lease has not changed for as long as it is to last, measured by who waits
 * (as in client-go's leaderelection). The holder measures its own silence from the start of the last renewal that was written. That two hold it for a moment
 * (one was stopped and goes on) costs repeats, never facts.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  /** The lease as it was last seen, and since when it has been so. */
  #seen: { readonly lease: StoredLease; readonly since: number } | undefined;
  /** When the renewal that was written last began. */
  #renewedAt: number | undefined;
  #cancelNext: (() => void) | undefined;
  #cancelExpiry: (() => void) | undefined;
  #isStopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** Who holds the lease, as far as was seen. */
  get holder(): string | undefined {
    return this.#seen?.lease.holder;
  }

  get isHeld(): boolean {
    return this.#renewedAt !== undefined;
  }

  start(): void {
    this.#round = this.#run();
  }

  /** Gives the lease back, with the last position, so that another one need not wait. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelNext?.();
    this.#cancelExpiry?.();
    await this.#round;
    const lease = this.#seen?.lease;
    if (this.#renewedAt === undefined || lease === undefined) return;
    const released = { ...this.#mine(lease), holder: "" };
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
    this.#cancelNext = this.#options.clock.after(this.isHeld ? RENEW_EVERY_MILLIS : LOOK_EVERY_MILLIS, () => {
      this.#round = this.#run();
    });
  }

  async #once(): Promise<void> {
    const { store, identity } = this.#options;
    const startedAt = this.#options.clock.elapsed();
    const lease = await store.read();
    if (lease !== undefined) this.#see(lease);
    if (lease === undefined) return this.#wrote(await store.create(this.#mine(undefined)), startedAt);
    if (lease.holder === identity || this.#isFree(lease)) {
      return this.#wrote(await store.replace(this.#mine(lease), lease.revision), startedAt);
    }
    this.#lose(`${lease.holder} holds the lease.`);
    this.#options.onFollow(lease.position);
  }

  #see(lease: StoredLease): void {
    if (this.#seen?.lease.revision === lease.revision) return;
    this.#seen = { lease, since: this.#options.clock.elapsed() };
  }

  /** Given back, or not renewed for as long as it lasts. */
  #isFree(lease: StoredLease): boolean {
    const since = this.#seen?.since ?? Infinity;
    return (
      lease.holder === "" ||
      this.#options.clock.elapsed() - since >= Math.max(LEASE_MILLIS, lease.durationSeconds * 1000)
    );
  }

  /** A conflict is somebody else's write: the next round sees whose. */
  #wrote(written: LeaseWriteOutcome, startedAt: number): void {
    if (written.outcome === "conflict") return;
    const wasHeld = this.isHeld;
    const before = this.#seen?.lease.position;
    this.#see(written.lease);
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

  #mine(lease: StoredLease | undefined): Lease {
    const { identity, clock, position } = this.#options;
    const isMine = lease?.holder === identity;
    const now = clock.now();
    // Who takes over keeps what the one before had written until its own segments are accepted.
    const kept = (this.isHeld ? position() : undefined) ?? lease?.position;
    return {
      holder: identity,
      durationSeconds: LEASE_MILLIS / 1000,
      renewedAt: now,
      acquiredAt: isMine ? lease.acquiredAt : now,
      transitions: (lease?.transitions ?? 0) + (isMine || lease === undefined ? 0 : 1),
      ...(kept !== undefined && { position: kept }),
    };
  }
}
