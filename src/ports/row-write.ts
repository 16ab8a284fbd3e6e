import type { Instant } from "../job/model/instant.ts";
import type { JobRow } from "./job-row.ts";
import type { JobKey } from "./jobs.ts";
import type { ProjectionName } from "./projections.ts";

/** A row was written: what the stream of a table of Jobs or runs reports. */
export interface RowWrite {
  readonly projection: ProjectionName;
  /** When, in whole seconds. */
  readonly writtenAt: Instant;
  readonly key: JobKey;
  /** The row is that of a run. @default that of a Job */
  readonly isRun?: true;
  /** Absent for a new Job or run. */
  readonly before?: JobRow;
  readonly after: JobRow;
}
