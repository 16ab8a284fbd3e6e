import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { followLog } from "./follow-log.ts";
import type { LogPosition } from "./log-position.ts";
import type { QueryPorts } from "../ports.ts";
import { JobToucher, type TouchedJob } from "./touched-jobs.ts";

/** A segment that was not given before, and the Jobs it is about. */
export interface FollowedStep {
  readonly cluster: ClusterName;
  readonly touches: AsyncIterable<TouchedJob>;
}

/**
 * What came to the logs of several clusters since their `positions`, which are moved on: before a segment is given, to behind it. Whoever stops in between
 * takes the last segment to its end and goes on from `positions`.
 */
export async function* followClusters(
  ports: QueryPorts,
  positions: Map<ClusterName, LogPosition>,
  now: Instant,
): AsyncGenerator<FollowedStep> {
  for (const [cluster, from] of positions) {
    const toucher = new JobToucher(ports, cluster);
    const segments = followLog(ports, { cluster, from, now });
    for (let next = await segments.next(); ; next = await segments.next()) {
      if (next.done === true) {
        positions.set(cluster, next.value);
        break;
      }
      positions.set(cluster, next.value.position);
      yield { cluster, touches: toucher.touch(next.value) };
    }
  }
}
