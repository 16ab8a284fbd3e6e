import type { Fact } from "../job/fact.ts";
import type { JobUid, PodUid } from "../job/ids.ts";
import type { Clock } from "../runtime/clock.ts";
import type { CaptureNews } from "./capture-news.ts";
import type { ClusterConnection } from "./cluster-connection.ts";
import type { Position } from "./position.ts";

/**
 * One step of a capture: facts in the order they were seen, maybe none, and how far it has come with them. Whoever has made `facts` safe may
 * keep `position`; it also covers every step before.
 */
export interface Capture {
  readonly facts: readonly Fact[];
  readonly position: Position;
}

/** What somebody else, the tracker, believes to exist in the cluster. */
export interface KnownObjects {
  readonly jobs: readonly JobUid[];
  readonly pods: readonly { readonly podUid: PodUid; readonly jobUid: JobUid }[];
}

export interface CaptureOptions {
  /** Where to go on. Without one the cluster is seen for the first time, and what was before is no gap. */
  readonly from?: Position;
  /** What is believed to exist, asked when it cannot go on from `from` without a hole: what the list lacks has vanished. */
  readonly known?: () => Promise<KnownObjects>;
  /** Messages of terminated containers, which are program output. @default false */
  readonly containerMessages?: boolean;
  readonly clock: Clock;
  /** In [0, 1): spreads retries. */
  readonly random: () => number;
  readonly report: (news: CaptureNews) => void;
  /** Ends the capture. */
  readonly signal: AbortSignal;
}

/**
 * Everything that happens to Jobs and what concerns them, from now on, as facts. Pull-based: nothing is read from the cluster while nobody asks
 * for the next step, and a reader that stays away long enough is cut off by the API server, which is then a gap. Never ends of itself but by
 * `signal`; retries what can be retried. Throws OtherClusterError where `from` belongs to another cluster.
 */
export declare function captureCluster(connection: ClusterConnection, options: CaptureOptions): AsyncGenerator<Capture>;
