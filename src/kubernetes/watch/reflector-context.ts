import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { ClusterConnection } from "../connection/cluster-connection.ts";
import type { ClusterIdentity } from "../connection/cluster-identity.ts";
import type { ServerClock } from "../connection/server-clock.ts";
import type { Timeline } from "./timeline.ts";

/** What the streams of one cluster share. */
export interface ReflectorContext {
  readonly connection: ClusterConnection;
  readonly identity: ClusterIdentity;
  readonly timeline: Timeline;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1: the jitter of retries and watch timeouts. */
  readonly random: () => number;
  readonly report: (event: CaptureEvent) => void;
  readonly signal: AbortSignal;
  /** Absent: all namespaces. */
  readonly namespace?: string;
}

/** Where a stream starts. */
export interface ReflectorStart {
  /** Absent: with a list. */
  readonly resourceVersion?: ResourceVersion;
  readonly seenAt: Instant;
  /** Why a list closes a gap. Absent where nothing was observed before. */
  readonly gapReason?: string;
}
