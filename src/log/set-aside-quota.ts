import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { setAsideHourRecord } from "../ports/records/set-aside-hour-record.ts";

export interface SetAsideQuotaOptions {
  readonly now: () => Instant;
  /** Called for each message that is not stored. */
  readonly onDropped: (sender: string) => void;
  /** The most bytes of one sender in one hour. @default 256 MiB */
  readonly maxBytes?: number;
  /** @default 4 MiB */
  readonly leaseBytes?: number;
}

/**
 * More than a valid cluster sends in an hour. If a sender exceeds it, the first messages are enough to show the
 * problem.
 */
const MAX_SET_ASIDE_BYTES = 256 * 1024 * 1024;
/**
 * How many bytes an instance of the function reserves at once: one write of the record covers about a hundred messages.
 */
const LEASE_BYTES = 4 * 1024 * 1024;
/** The least that a message counts as: a record of a smaller one costs as much. */
const LEAST_BYTES = 4 * 1024;

/** How much this instance may still set aside for one sender in one hour. */
interface Lease {
  left: number;
  /** Whether nothing more can be reserved. */
  isOver: boolean;
}

/**
 * Limits how much is set aside for one sender per hour, across all instances of the function. Any principal that may
 * send to the queue can send invalid messages.
 */
export class SetAsideQuota {
  readonly #meta: MetaStore;
  readonly #options: SetAsideQuotaOptions;
  #hour = "";
  #leases = new Map<string, Lease>();

  constructor(meta: MetaStore, options: SetAsideQuotaOptions) {
    this.#meta = meta;
    this.#options = options;
  }

  /** Whether a message of this many bytes may be stored. */
  async take(senderId: string | undefined, bytes: number): Promise<boolean> {
    const sender = senderId === undefined ? UNKNOWN : principalIdOf(senderId);
    const hour = hourText(this.#options.now());
    const lease = this.#leaseOf(hour, sender);
    const charged = Math.max(bytes, LEAST_BYTES);
    while (lease.left < charged && !lease.isOver) await this.#reserve(lease, `${hour}#${sender}`, charged);
    if (lease.left < charged) {
      this.#options.onDropped(sender);
      return false;
    }
    lease.left -= charged;
    return true;
  }

  #leaseOf(hour: string, sender: string): Lease {
    if (hour !== this.#hour) this.#leases = new Map();
    this.#hour = hour;
    const lease = this.#leases.get(sender) ?? { left: 0, isOver: false };
    this.#leases.set(sender, lease);
    return lease;
  }

  /** Reserves bytes in the record of the hour. A conflict with another instance reserves nothing: try again. */
  async #reserve(lease: Lease, key: string, least: number): Promise<void> {
    const { maxBytes = MAX_SET_ASIDE_BYTES, leaseBytes = LEASE_BYTES } = this.#options;
    const stored = await readRecord(this.#meta, setAsideHourRecord, key);
    const hour = stored?.value ?? { bytes: 0 };
    const reserved = Math.min(Math.max(leaseBytes, least), maxBytes - hour.bytes);
    lease.isOver = reserved < least;
    const value = lease.isOver
      ? { droppedSince: this.#options.now(), ...hour }
      : { ...hour, bytes: hour.bytes + reserved };
    const expected = stored?.version ?? 0;
    const { outcome } = await writeRecord(this.#meta, setAsideHourRecord, { key, value, expected });
    if (outcome === "written" && !lease.isOver) lease.left += reserved;
  }
}

/** The name under which messages without a reported sender are counted. */
const UNKNOWN = "unknown";

/** The hour of an instant, as keys of records begin with it: `2026-11-21T12`. */
export function hourText(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 13);
}
