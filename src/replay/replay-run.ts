import type { Instant } from "../job/model/instant.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { Projections } from "../ports/projections.ts";
import type { Retry } from "../concurrency/retry.ts";

export interface ReplayPorts {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Makes all that `work` writes durable at once, where the store can. */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
}

export interface ReplayRun {
  readonly retry: Retry;
  /** Whether to begin another batch; a function has 15 minutes. @default always */
  readonly hasTime?: () => boolean;
  /** The clock, and for how long nobody else is to go on with this replay unless it lets go: longer than the process can live. @default nobody is kept away */
  readonly hold?: { readonly now: () => Instant; readonly millis: number };
  readonly onProgress?: (segments: number) => void;
}
