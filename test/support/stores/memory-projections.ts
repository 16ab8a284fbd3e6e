import type { JobStore } from "../../../src/ports/jobs.ts";
import type { ProjectionName, Projections } from "../../../src/ports/projections.ts";
import { MemoryJobStore } from "./memory-job-store.ts";

export class MemoryProjections implements Projections {
  readonly #stores = { A: new MemoryJobStore(), B: new MemoryJobStore() };

  open(name: ProjectionName): MemoryJobStore & JobStore {
    return this.#stores[name];
  }

  async clear(name: ProjectionName): Promise<"empty"> {
    this.#stores[name].states.clear();
    this.#stores[name].pages.clear();
    return "empty";
  }
}
