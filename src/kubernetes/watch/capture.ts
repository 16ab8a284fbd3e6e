import { type Capture, CaptureState, type CaptureStateOptions } from "./capture-state.ts";
import type { ClusterConnection } from "../connection/cluster-connection.ts";
import { watchCluster, type WatchOptions } from "./watch-cluster.ts";

/** Without `from` this is the first capture of the cluster, so the time before it is no gap. */
export interface CaptureOptions extends WatchOptions, CaptureStateOptions {}

/**
 * Yields all changes of Jobs and related objects as facts. Pull-based: it reads from the cluster only while the caller
 * asks for the next step. The API server disconnects a caller that waits too long, which causes a gap. Ends only by
 * `signal`, and retries where possible. Throws OtherClusterError where `from` belongs to another cluster.
 */
export async function* captureCluster(connection: ClusterConnection, options: CaptureOptions): AsyncGenerator<Capture> {
  const { identity, serverClock, steps } = watchCluster(connection, options);
  const state = new CaptureState(identity, () => serverClock.now(), options);
  for await (const step of steps) yield await state.take(step);
}
