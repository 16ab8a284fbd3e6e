import type { Retry } from "../concurrency/retry.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { Projections } from "../ports/projections.ts";

export interface ReplayPorts {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Runs `work` in one transaction. @default without one */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
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
