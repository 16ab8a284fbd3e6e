import type { Instant } from "../job/model/instant.ts";
import type { JobRow } from "./job-row.ts";
import type { JobKey } from "./jobs.ts";
import type { ProjectionName } from "./projections.ts";

/** A row was written: what the stream of a table of Jobs reports. */
export interface RowWrite {
  readonly projection: ProjectionName;
  /** When, in whole seconds. */
  readonly writtenAt: Instant;
  readonly key: JobKey;
  /** Absent for a new Job. */
  readonly before?: JobRow;
  readonly after: JobRow;
}
