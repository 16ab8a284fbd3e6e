import type { Retry } from "../../ports/concurrency/retry.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { IdleJobs } from "../../ports/projections.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { ClearableProjections, ProjectionName, Projections } from "../../ports/projections.ts";
import type { SweepPosition } from "../../ports/records/sweep-checkpoint.ts";
import type { ExpiredPorts } from "./remove-expired.ts";
import type { RecordPorts } from "./rebuild-records.ts";

export interface ReplayPorts extends RecordPorts, ExpiredPorts {
  readonly projections: Projections & Partial<Pick<ClearableProjections, "clear">>;
  /** How a projection is rebuilt that cannot be emptied. @default it is emptied */
  readonly spread?: SpreadStores;
  /**
   * Updates everything that is derived from a rebuilt projection, before it answers. Returns where the next call
   * continues, or `undefined` at the end. @default nothing is updated
   */
  readonly settle?: (rebuilt: RebuiltProjection) => Promise<SweepPosition | undefined>;
}

export interface SpreadStores {
  /** For partial states. Objects are needed for as long as a replay takes. */
  readonly objects: ObjectStore;
  readonly idle: (name: ProjectionName) => IdleJobs;
  readonly idleRuns: (name: ProjectionName) => IdleJobs;
  /** Whether an error is an outage of a store. A Job with another error is left out, and reported. */
  readonly isOutage: (cause: unknown) => boolean;
}

/** A projection that has every segment of the log, and does not answer yet. */
export interface RebuiltProjection extends Pick<ReplayRun, "hasTime"> {
  readonly projection: ProjectionName;
  /** Whether it stays beside the live one, which then keeps what both share. */
  readonly isTrial: boolean;
  readonly from?: SweepPosition | undefined;
}

export interface ReplayRun {
  readonly retry: Retry;
  /** Whether there is time for another batch; a function has 15 minutes. @default always */
  readonly hasTime?: () => boolean;
  /**
   * How long this process reserves the replay: longer than it can run. No other replay starts until then, unless this
   * process releases it earlier. @default no reservation
   */
  readonly hold?: { readonly now: () => Instant; readonly millis: number };
  /** Switches although segments of the log cannot be read, for this reason, which is recorded. @default it does not */
  readonly despite?: string;
  /** Gets the number of segments of each batch. */
  readonly onProgress?: (segments: number) => void;
}
