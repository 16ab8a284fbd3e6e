import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import type { RegistrationCache } from "../ports/registrations/registration-cache.ts";
import { principalIn } from "./principals.ts";
import { type RegisteredSender, type Sender, withIdentity } from "./sender.ts";

export interface SenderRegistryOptions {
  readonly principals: Pick<RegistrationCache, "find" | "forget">;
  /** The identities of clusters. */
  readonly meta: MetaStore;
  /** Whether any sender may send for any cluster: for trials and emulators. */
  readonly open: boolean;
  /** The function that reads audit logs, by the unique id of its role. @default none */
  readonly auditLogs?: { readonly principalId: string; readonly clusters: ReadonlySet<string> };
  readonly now: () => Instant;
}

/** How old the identity of a cluster may be. A segment that it refuses is compared with the stored one. */
const CACHE_MILLIS = 60_000;
/** More principals than this do not send within a minute. Dropping an entry costs a read. */
const MAX_ENTRIES = 1_000;

/** Identifies senders by what is registered, with one read of a record per principal and minute. */
export class SenderRegistry {
  readonly #options: SenderRegistryOptions;
  readonly #entries = new Map<string, { readonly sender: RegisteredSender; readonly until: Instant }>();

  constructor(options: SenderRegistryOptions) {
    this.#options = options;
  }

  async identify(senderId: string | undefined): Promise<Sender> {
    const { open, auditLogs, principals } = this.#options;
    if (open) return { kind: "open", ...(senderId !== undefined && { senderId }) };
    if (senderId === undefined || senderId === "") return { kind: "unregistered" };
    const principalId = principalIdOf(senderId);
    if (principalId === auditLogs?.principalId) return { kind: "auditLogs", senderId, clusters: auditLogs.clusters };
    const registration = await principals.find(principalId);
    const principal = registration && principalIn(registration);
    if (principal === undefined) return { kind: "unregistered", senderId };
    return this.#identified(principalId, { kind: "registered", senderId, cluster: principal.cluster });
  }

  /** Reads the registrations again before the next answer. */
  forget(): void {
    this.#options.principals.forget();
  }

  async #identified(principalId: string, sender: RegisteredSender): Promise<RegisteredSender> {
    const now = this.#options.now();
    const entry = this.#entries.get(principalId);
    if (entry !== undefined && now < entry.until && entry.sender.cluster === sender.cluster) {
      return { ...entry.sender, senderId: sender.senderId };
    }
    const identified = await withIdentity(this.#options.meta, sender);
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    this.#entries.set(principalId, { sender: identified, until: now + CACHE_MILLIS });
    return identified;
  }
}
