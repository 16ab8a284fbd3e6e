import type { JobStore } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";

/** What every question reads from. `jobs` is the live projection. */
export interface QueryPorts {
  readonly jobs: JobStore;
  readonly meta: MetaStore;
  readonly log: Log;
}
