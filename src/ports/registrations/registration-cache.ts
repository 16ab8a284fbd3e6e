import type { Instant } from "../../job/model/instant.ts";
import type { Registration, RegistrationKind, Registrations } from "./registrations.ts";

export interface RegistrationCacheOptions {
  readonly registrations: Pick<Registrations, "list">;
  readonly kind: RegistrationKind;
  readonly now: () => Instant;
}

/** How old a list may be: how long a principal can continue to send or read after its registration was removed. */
const FRESH_MILLIS = 60_000;
/** How long a failure is repeated where there is no list: many callers must not cause many reads. */
const FAILED_MILLIS = 2_000;
/** While Parameter Store is unavailable, the last list is used for this long. */
const USABLE_MILLIS = 15 * 60_000;

interface KnownList {
  readonly byPrincipal: ReadonlyMap<string, Registration>;
  readonly at: Instant;
}

/**
 * All registrations of a kind, read at most once a minute, however many principals ask. Unknown principals cause no
 * read of their own: whoever can send or sign could otherwise use up the requests that Parameter Store answers.
 */
export class RegistrationCache {
  readonly #options: RegistrationCacheOptions;
  #known: KnownList | undefined;
  #reading: Promise<KnownList> | undefined;
  #readAt = -Infinity;
  #hasFailed = false;

  constructor(options: RegistrationCacheOptions) {
    this.#options = options;
  }

  /** The registration of a principal, as of the last minute. */
  async find(principalId: string): Promise<Registration | undefined> {
    const now = this.#options.now();
    if (now - this.#readAt >= (this.#hasFailed ? FAILED_MILLIS : FRESH_MILLIS)) this.forget();
    const { byPrincipal } = await this.#list(now);
    return byPrincipal.get(principalId);
  }

  /** Reads the list before the next answer: for a command that depends on what was registered just now. */
  forget(): void {
    this.#reading = undefined;
  }

  async #list(now: Instant): Promise<KnownList> {
    if (this.#reading === undefined) {
      this.#readAt = now;
      this.#hasFailed = false;
      this.#reading = this.#read(now);
    }
    try {
      return await this.#reading;
    } catch (cause) {
      // A list that cannot be replaced is used for a while, and read again after the usual time.
      if (this.#known !== undefined && now - this.#known.at < USABLE_MILLIS) return this.#known;
      this.#hasFailed = true;
      throw cause;
    }
  }

  async #read(at: Instant): Promise<KnownList> {
    const { registrations, kind } = this.#options;
    const listed = await registrations.list(kind);
    this.#known = { byPrincipal: new Map(listed.map((each) => [each.principalId, each])), at };
    return this.#known;
  }
}
