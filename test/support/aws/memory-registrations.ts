import type { Instant } from "../../../src/job/model/instant.ts";
import { RegistrationCache } from "../../../src/ports/registrations/registration-cache.ts";
import type {
  NewRegistration,
  Registration,
  RegistrationKind,
  Registrations,
} from "../../../src/ports/registrations/registrations.ts";

/** Registrations in memory. Those that are written get the instant `at`. */
export class MemoryRegistrations implements Registrations {
  readonly #kinds: Readonly<Record<RegistrationKind, Map<string, Registration>>> = {
    senders: new Map(),
    readers: new Map(),
  };
  at: Instant = 0;
  /** How often a list was read. */
  lists = 0;
  /** What the next lists fail with. */
  outage: Error | undefined;

  /** Registrations of senders, with the cluster of each. */
  static ofSenders(clusters: Readonly<Record<string, string>>, at: Instant = 0): MemoryRegistrations {
    const registrations = new MemoryRegistrations();
    for (const [id, cluster] of Object.entries(clusters)) registrations.put("senders", id, { cluster }, at);
    return registrations;
  }

  put(kind: RegistrationKind, principalId: string, value: object, at: Instant = this.at): void {
    this.#kinds[kind].set(principalId, { principalId, value: JSON.stringify(value), at });
  }

  async list(kind: RegistrationKind): Promise<readonly Registration[]> {
    this.lists += 1;
    if (this.outage !== undefined) throw this.outage;
    return [...this.#kinds[kind].values()];
  }

  async write(kind: RegistrationKind, { principalId, value, isNew = false }: NewRegistration) {
    if (isNew && this.#kinds[kind].has(principalId)) return "exists";
    this.#kinds[kind].set(principalId, { principalId, value, at: this.at });
    return "written";
  }

  async remove(kind: RegistrationKind, principalId: string) {
    return this.#kinds[kind].delete(principalId) ? "removed" : "absent";
  }

  /** What functions have of the registrations. */
  cached(kind: RegistrationKind, now: () => Instant = () => 0): RegistrationCache {
    return new RegistrationCache({ registrations: this, kind, now });
  }
}
