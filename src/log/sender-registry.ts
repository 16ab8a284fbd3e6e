import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import { identifySender, type Sender } from "./sender.ts";

export interface SenderRegistryOptions {
  /** Whether any sender may send for any cluster: for trials and emulators. */
  readonly open: boolean;
  /** The function that reads audit logs, by the unique id of its role. @default none */
  readonly auditLogs?: { readonly principalId: string; readonly clusters: ReadonlySet<string> };
  readonly now: () => Instant;
}

/** How long an unregistered principal can continue to send. */
const CACHE_MILLIS = 60_000;
/** More principals than this do not send within a minute. Dropping an entry costs two reads. */
const MAX_ENTRIES = 1_000;

/**
 * Caches senders for a short time. It does not cache unregistered ones, so that a registration takes effect at once.
 */
export class SenderRegistry {
  readonly #meta: MetaStore;
  readonly #options: SenderRegistryOptions;
  readonly #entries = new Map<string, { readonly sender: Sender; readonly until: Instant }>();

  constructor(meta: MetaStore, options: SenderRegistryOptions) {
    this.#meta = meta;
    this.#options = options;
  }

  async identify(senderId: string | undefined): Promise<Sender> {
    if (this.#options.open) return { kind: "open", ...(senderId !== undefined && { senderId }) };
    if (senderId === undefined) return { kind: "unregistered" };
    const principalId = principalIdOf(senderId);
    const { auditLogs } = this.#options;
    if (principalId === auditLogs?.principalId) return { kind: "auditLogs", senderId, clusters: auditLogs.clusters };
    const now = this.#options.now();
    const entry = this.#entries.get(principalId);
    if (entry !== undefined && now < entry.until) return { ...entry.sender, senderId };
    const sender = await identifySender(this.#meta, senderId);
    this.#entries.delete(principalId);
    if (sender.kind === "registered") this.#keep(principalId, sender, now + CACHE_MILLIS);
    return sender;
  }

  #keep(principalId: string, sender: Sender, until: Instant): void {
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    this.#entries.set(principalId, { sender, until });
  }
}
