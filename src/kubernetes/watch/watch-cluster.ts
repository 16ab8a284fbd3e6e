import type { Instant } from "../../job/model/instant.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { ClusterConnection } from "../connection/cluster-connection.ts";
import { ClusterIdentity } from "../connection/cluster-identity.ts";
import { mergeStreams } from "./merge-streams.ts";
import type { Position } from "./position.ts";
import { Reflector } from "./reflector.ts";
import type { ReflectorStart } from "./reflector-context.ts";
import { ServerClock } from "../connection/server-clock.ts";
import type { Step } from "./step.ts";
import { Timeline } from "./timeline.ts";
import { RESOURCE_KINDS, type ResourceKind } from "../connection/watched-resource.ts";

export interface WatchOptions {
  /** Where to continue. */
  readonly from?: Position;
  /** @default all of them */
  readonly namespace?: string;
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1. Spreads retries. */
  readonly random: () => number;
  readonly report: (event: CaptureEvent) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** The merged streams of one cluster. */
export interface ClusterWatch {
  readonly identity: ClusterIdentity;
  readonly serverClock: ServerClock;
  readonly steps: AsyncGenerator<Step>;
}

/** Watches all resources of a cluster. `steps` throws OtherClusterError where `from` belongs to another cluster. */
export function watchCluster(connection: ClusterConnection, options: WatchOptions): ClusterWatch {
  const { from, clock } = options;
  const serverClock = new ServerClock(clock);
  const stopper = new AbortController();
  const shared = { ...options, connection, serverClock, signal: AbortSignal.any([options.signal, stopper.signal]) };
  const identity = new ClusterIdentity(shared, from?.clusterUid);
  const timeline = new Timeline(from?.epoch ?? 0);
  const startedAt = serverClock.now();
  const streams = RESOURCE_KINDS.map((kind) =>
    new Reflector(kind, { ...shared, identity, timeline }, startOf(kind, from, startedAt)).run(),
  );
  return { identity, serverClock, steps: mergeStreams(streams, () => stopper.abort()) };
}

function startOf(
  { resource, isOptional }: ResourceKind,
  from: Position | undefined,
  startedAt: Instant,
): ReflectorStart {
  if (from === undefined) return { seenAt: startedAt };
  if (isOptional && from.resources[resource] === undefined) return { seenAt: startedAt };
  const { resourceVersion, seenAt = from.lastSeenAt } = from.resources[resource] ?? {};
  if (resourceVersion !== undefined) return { seenAt, resourceVersion };
  return { seenAt, gapReason: `The cluster was watched before this list, but ${resource} were not.` };
}
