import type { Fact } from "../job/fact.ts";
import type { JobUid, PodUid } from "../job/ids.ts";
import { CaptureBook } from "./capture-book.ts";
import type { ClusterConnection } from "./cluster-connection.ts";
import type { Position } from "./position.ts";
import { watchCluster, type WatchOptions } from "./watch-cluster.ts";

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

/** Without `from` the cluster is seen for the first time, and what was before is no gap. */
export interface CaptureOptions extends WatchOptions {
  /**
   * What is believed to exist. Asked when the capture cannot go on from `from` without a hole: what the list then lacks has vanished. Its errors end
   * the capture.
   */
  readonly known?: () => Promise<KnownObjects>;
  /** Messages of terminated containers, which are program output. @default false */
  readonly containerMessages?: boolean;
}

/**
 * Everything that happens to Jobs and what concerns them, from now on, as facts. Pull-based: nothing is read from the cluster while nobody asks
 * for the next step, and a reader that stays away long enough is cut off by the API server, which is then a gap. Never ends of itself but by
 * `signal`; retries what can be retried. Throws OtherClusterError where `from` belongs to another cluster.
 */
export async function* captureCluster(connection: ClusterConnection, options: CaptureOptions): AsyncGenerator<Capture> {
  const { identity, steps } = watchCluster(connection, options);
  const book = new CaptureBook(identity, options);
  for await (const step of steps) yield await book.take(step);
}
