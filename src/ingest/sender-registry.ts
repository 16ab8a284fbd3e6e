import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import { identifySender, type Sender } from "./sender.ts";

export interface SenderRegistryOptions {
  /** Whoever can send may speak for any cluster: for trials and emulators. */
  readonly open: boolean;
  readonly now: () => Instant;
}

/** An unregistered principal may speak for so long after it was struck off. */
const KEPT_MILLIS = 60_000;
/** More principals than this do not speak within a minute; what is asked again costs two reads. */
const MOST_KEPT = 1_000;

/** Who speaks, remembered for a short while. A stranger is not remembered, so that registering one counts at once. */
export class SenderRegistry {
  readonly #meta: MetaStore;
  readonly #options: SenderRegistryOptions;
  readonly #known = new Map<string, { readonly sender: Sender; readonly until: Instant }>();

  constructor(meta: MetaStore, options: SenderRegistryOptions) {
    this.#meta = meta;
    this.#options = options;
  }

  async identify(senderId: string | undefined): Promise<Sender> {
    if (this.#options.open) return { kind: "anyone", ...(senderId !== undefined && { senderId }) };
    if (senderId === undefined) return { kind: "stranger" };
    const principalId = principalIdOf(senderId);
    const now = this.#options.now();
    const known = this.#known.get(principalId);
    if (known !== undefined && now < known.until) return { ...known.sender, senderId };
    const sender = await identifySender(this.#meta, senderId);
    this.#known.delete(principalId);
    if (sender.kind === "registered") this.#keep(principalId, sender, now + KEPT_MILLIS);
    return sender;
  }

  #keep(principalId: string, sender: Sender, until: Instant): void {
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(principalId, { sender, until });
  }
}
