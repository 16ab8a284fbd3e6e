import type { Lease, LeaseStore, LeaseWriteOutcome, StoredLease } from "../../src/ports/lease-store.ts";

/** One lease that several replicas of a test share, behind an API server that can go away. */
export class MemoryLease implements LeaseStore {
  stored: StoredLease | undefined;
  isAway = false;
  #revision = 0;

  async read(): Promise<StoredLease | undefined> {
    this.#answer();
    return this.stored;
  }

  async create(lease: Lease): Promise<LeaseWriteOutcome> {
    this.#answer();
    return this.stored === undefined ? this.#write(lease) : { outcome: "conflict" };
  }

  async replace(lease: Lease, revision: string): Promise<LeaseWriteOutcome> {
    this.#answer();
    return this.stored?.revision === revision ? this.#write(lease) : { outcome: "conflict" };
  }

  #answer(): void {
    if (this.isAway) throw new Error("The API server does not answer.");
  }

  #write(lease: Lease): LeaseWriteOutcome {
    this.#revision += 1;
    this.stored = { ...lease, revision: String(this.#revision) };
    return { outcome: "written", lease: this.stored };
  }
}
