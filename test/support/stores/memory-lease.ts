import type { Lease, LeaseStore, LeaseWriteOutcome, StoredLease } from "../../../src/ports/lease-store.ts";

/** A lease that several replicas share, behind an API server that can become unavailable. */
export class MemoryLease implements LeaseStore {
  stored: StoredLease | undefined;
  isAway = false;
  /** Resolves when the API server responds. */
  patience: Promise<void> = Promise.resolve();
  #revision = 0;

  async read(): Promise<StoredLease | undefined> {
    await this.#answer();
    return this.stored;
  }

  async create(lease: Lease): Promise<LeaseWriteOutcome> {
    await this.#answer();
    return this.stored === undefined ? this.#write(lease) : { outcome: "conflict" };
  }

  async replace(lease: Lease, revision: string): Promise<LeaseWriteOutcome> {
    await this.#answer();
    return this.stored?.revision === revision ? this.#write(lease) : { outcome: "conflict" };
  }

  async #answer(): Promise<void> {
    await this.patience;
    if (this.isAway) throw new Error("The API server does not answer.");
  }

  #write(lease: Lease): LeaseWriteOutcome {
    this.#revision += 1;
    this.stored = { ...lease, revision: String(this.#revision) };
    return { outcome: "written", lease: this.stored };
  }
}
