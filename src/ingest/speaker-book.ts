import type { Instant } from "../job/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import { identifySpeaker, type Speaker } from "./speaker.ts";

export interface SpeakerBookOptions {
  /** Whoever can send may speak for any cluster: for trials and emulators. */
  readonly open: boolean;
  readonly now: () => Instant;
}

/** An unregistered principal may speak for so long after it was struck off. */
const KEPT_MILLIS = 60_000;
/** More principals than this do not speak within a minute; what is asked again costs two reads. */
const MOST_KEPT = 1_000;

/** Who speaks, remembered for a short while. A stranger is not remembered, so that registering one counts at once. */
export class SpeakerBook {
  readonly #meta: MetaStore;
  readonly #options: SpeakerBookOptions;
  readonly #known = new Map<string, { readonly speaker: Speaker; readonly until: Instant }>();

  constructor(meta: MetaStore, options: SpeakerBookOptions) {
    this.#meta = meta;
    this.#options = options;
  }

  async identify(senderId: string | undefined): Promise<Speaker> {
    const sender = senderId === undefined ? {} : { senderId };
    if (this.#options.open) return { kind: "anyone", ...sender };
    if (senderId === undefined) return { kind: "stranger" };
    const principalId = principalIdOf(senderId);
    const now = this.#options.now();
    const known = this.#known.get(principalId);
    if (known !== undefined && now < known.until) return { ...known.speaker, senderId };
    const speaker = await identifySpeaker(this.#meta, senderId);
    this.#known.delete(principalId);
    if (speaker.kind === "registered") this.#keep(principalId, speaker, now + KEPT_MILLIS);
    return speaker;
  }

  #keep(principalId: string, speaker: Speaker, until: Instant): void {
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(principalId, { speaker, until });
  }
}
