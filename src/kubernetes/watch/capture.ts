import { type Capture, CaptureState, type CaptureStateOptions } from "./capture-state.ts";
import type { ClusterConnection } from "../connection/cluster-connection.ts";
import { watchCluster, type WatchOptions } from "./watch-cluster.ts";

/** Without `from` the cluster is seen for the first time, and what was before is no gap. */
export interface CaptureOptions extends WatchOptions, CaptureStateOptions {}

/**
 * Everything that happens to Jobs and what concerns them, from now on, as facts. Pull-based: nothing is read from the cluster while nobody asks
 * for the next step, and a reader that stays away long enough is cut off by the API server, which is then a gap. Never ends of itself but by
 * `signal`; retries what can be retried. Throws OtherClusterError where `from` belongs to another cluster.
 */
export async function* captureCluster(connection: ClusterConnection, options: CaptureOptions): AsyncGenerator<Capture> {
  const { identity, steps } = watchCluster(connection, options);
  const book = new CaptureState(identity, options);
  for await (const step of steps) yield await book.take(step);
}
