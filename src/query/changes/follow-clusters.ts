import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { followLog } from "./follow-log.ts";
import type { LogPosition } from "./log-position.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { SegmentEffects, type TouchedJob } from "./touched-jobs.ts";

/** A new segment, with its effects on Jobs. */
export interface FollowedStep {
  readonly cluster: ClusterName;
  readonly touches: AsyncIterable<TouchedJob>;
}

export interface FollowedClusters {
  /** Updated as the logs are read. */
  readonly positions: Map<ClusterName, LogPosition>;
  /** Jobs outside of it are skipped. */
  readonly scope: Scope;
  readonly now: Instant;
}

/**
 * The segments that several clusters have added to their logs since `positions`. A position moves past a segment before
 * the segment is returned. A caller that stops must finish the last segment, and can then continue from `positions`.
 */
export async function* followClusters(
  ports: QueryPorts,
  { positions, scope, now }: FollowedClusters,
): AsyncGenerator<FollowedStep> {
  for (const [cluster, from] of positions) {
    const effects = new SegmentEffects(ports, { cluster, scope });
    const segments = followLog(ports, { cluster, from, now });
    for (let next = await segments.next(); ; next = await segments.next()) {
      if (next.done === true) {
        positions.set(cluster, next.value);
        break;
      }
      positions.set(cluster, next.value.position);
      yield { cluster, touches: effects.touch(next.value) };
    }
  }
}
