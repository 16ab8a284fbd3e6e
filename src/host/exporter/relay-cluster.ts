import { randomBytes } from "node:crypto";
import { TimeSlice } from "../../ports/concurrency/time-slice.ts";
import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import { gapOfRefused } from "../../kubernetes/delivery/gap-of-refused.ts";
import { SegmentBatcher } from "../../kubernetes/delivery/segment-batcher.ts";
import { Outbox } from "../../kubernetes/delivery/outbox.ts";
import { Relay } from "../../kubernetes/delivery/relay.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { captureCluster } from "../../kubernetes/watch/capture.ts";
import type { KnownObjects } from "../../kubernetes/watch/known-objects.ts";
import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import type { ClusterConnection } from "../../kubernetes/connection/cluster-connection.ts";
import type { Position } from "../../kubernetes/watch/position.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";
import type { EventReasons } from "../../kubernetes/translate/explaining-events.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import type { Spool } from "../../ports/spool.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import { positionRules } from "./watch-position-rules.ts";

export interface RelayClusterOptions {
  readonly connection: ClusterConnection;
  readonly cluster: ClusterName;
  readonly queue: SegmentQueue;
  readonly spool?: Spool;
  /** The objects that the tracker believes to exist. Absent: no tracker is configured. */
  readonly known?: () => Promise<KnownObjects | undefined>;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions> | undefined;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons | undefined;
  /** How long a segment of few facts waits for more. @default 0 */
  readonly lingerMillis?: number | undefined;
  readonly clock: Clock;
  /** Milliseconds by which the tracker's clock is ahead of this one's. @default 0 */
  readonly trackerAhead?: () => number;
  readonly onCapture: (event: CaptureEvent) => void;
  readonly onDelivery: (event: DeliveryEvent) => void;
  /** Receives the number of facts that were read, repeated ones included. */
  readonly onCaptured?: (facts: number) => void;
  /** Called for facts that fit into no segment. */
  readonly onRejected: (reason: string) => void;
}

export interface ClusterRelay {
  /** The unique name of this run of the process. */
  readonly session: string;
  readonly outbox: Outbox<Position>;
  readonly relay: Relay<Position>;
  /** The position up to which segments were accepted, in its stored form. */
  readonly position: () => string | undefined;
}

/** Connects the watches of a cluster to a queue. */
export function relayCluster(options: RelayClusterOptions): ClusterRelay {
  const { cluster, queue, spool, clock } = options;
  const session = randomBytes(8).toString("hex");
  const outbox: Outbox<Position> = new Outbox<Position>({
    cluster,
    queue,
    ...(spool !== undefined && { spool }),
    rules: positionRules,
    clock,
    observe: options.onDelivery,
    onRefused: (bytes) => {
      const gap = gapOfRefused(bytes);
      if (gap !== undefined) batcher.take([gap]);
    },
  });
  const batcher = new SegmentBatcher<Position>({
    cluster,
    session,
    kubeSystemUidOf: ({ clusterUid }) => clusterUid,
    outbox,
    clock,
    lingerMillis: options.lingerMillis,
    ...(options.trackerAhead !== undefined && { trackerAhead: options.trackerAhead }),
    onRejected: options.onRejected,
  });
  const relay = new Relay<Position>({
    capture: (from, signal) => captured(options, from, signal),
    batcher,
    outbox,
    clock,
    observe: options.onDelivery,
  });
  const position = () => (outbox.acknowledged === undefined ? undefined : positionRules.encode(outbox.acknowledged));
  return { session, outbox, relay, position };
}

async function* captured(options: RelayClusterOptions, from: Position | undefined, signal: AbortSignal) {
  const { connection, known, texts, eventReasons, clock, onCapture, onCaptured } = options;
  const steps = captureCluster(connection, {
    ...(from !== undefined && { from }),
    ...(known !== undefined && { known }),
    texts,
    eventReasons,
    clock,
    random: Math.random,
    report: onCapture,
    signal,
  });
  // Lets the event loop run: a cluster that sends faster than this process can read must not block everything else.
  const slice = new TimeSlice();
  for await (const step of steps) {
    onCaptured?.(step.facts.length);
    yield step;
    await slice.next();
  }
}
