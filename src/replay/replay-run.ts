import type { Retry } from "../concurrency/retry.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Projections } from "../ports/projections.ts";
import type { ExpiredPorts } from "./remove-expired.ts";
import type { RecordPorts } from "./rebuild-records.ts";

export interface ReplayPorts extends RecordPorts, ExpiredPorts {
  readonly projections: Projections;
}

export interface ReplayRun {
  readonly retry: Retry;
  /** Whether there is time for another batch; a function has 15 minutes. @default always */
  readonly hasTime?: () => boolean;
  /**
   * How long this process reserves the replay: longer than it can live. The next process waits until then, unless this
   * one releases it earlier. @default no reservation
   */
  readonly hold?: { readonly now: () => Instant; readonly millis: number };
  /** Gets the number of segments of each batch. */
  readonly onProgress?: (segments: number) => void;
}
