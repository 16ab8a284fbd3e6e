import { createMetaPositionStore } from "../../kubernetes/delivery/meta-position-store.ts";
import { PositionKeeper } from "../../kubernetes/delivery/position-keeper.ts";
import { knownObjects } from "../exporter/read-known-objects.ts";
import { positionRules } from "../exporter/watch-position-rules.ts";
import { relayCluster } from "../exporter/relay-cluster.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { EventReasons } from "../../kubernetes/translate/explaining-events.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import type { ClusterConnection } from "../../kubernetes/connection/cluster-connection.ts";
import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import { systemClock as clock } from "../../ports/runtime/clock.ts";
import { errorMessage } from "../../job/text/error-message.ts";
import type { IntakeBacklog } from "../metrics/server-metrics.ts";
import type { Embedded } from "./embedded-tracker.ts";
import { IntakeProblem } from "./intake-problem.ts";
import { inProcessClient } from "./in-process-client.ts";

export interface WatchIntoOptions {
  readonly embedded: Embedded;
  readonly connection: ClusterConnection;
  readonly cluster: ClusterName;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions> | undefined;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons | undefined;
  /** Receives a sentence for the operator. */
  readonly report: (sentence: string) => void;
}

export interface ClusterWatch {
  /** Resolves after `stop`. Rejects if the watch cannot continue: OtherClusterError if the cluster was replaced. */
  readonly ended: Promise<void>;
  /** Stops the watch. Resolves when all captured facts are in the database. Never rejects: `ended` does. */
  readonly stop: () => Promise<void>;
  /** Why the facts of the cluster are not in the answers; `undefined` if they are. */
  readonly problem: () => string | undefined;
  /** What was received from the cluster and is not stored yet. */
  readonly backlog: () => IntakeBacklog;
}

const DRAIN_MILLIS = 10_000;

/** Watches a cluster into a database of this process, as an exporter and a tracker without a queue in between. */
export async function watchInto(options: WatchIntoOptions): Promise<ClusterWatch> {
  const { embedded, connection, cluster, texts, eventReasons, report } = options;
  const store = createMetaPositionStore(embedded.meta, cluster);
  const intake = new IntakeProblem(report);
  const { outbox, relay, position } = relayCluster({
    connection,
    cluster,
    texts,
    eventReasons,
    queue: embedded.queue({ now: Date.now, onUnfolded: (causes) => intake.onUnfolded(causes) }),
    known: () => knownObjects(inProcessClient(embedded, "this database"), cluster),
    clock,
    onCapture: (event) => reportCapture(report, event),
    onDelivery: (event) => intake.onDelivery(event),
    onRejected: report,
  });
  const keeper = new PositionKeeper({ store, clock, position, onFailed: (cause) => report(errorMessage(cause)) });
  const stored = await store.read();
  relay.lead(stored === undefined ? undefined : positionRules.decode(stored));
  keeper.start();
  const running = relay.run();
  return {
    ended: Promise.race([running, outbox.broken]),
    stop: async () => {
      relay.stop();
      await Promise.allSettled([running]);
      await outbox.drain(DRAIN_MILLIS);
      await keeper.stop();
    },
    problem: () => intake.problem,
    backlog: () => {
      const { size: segments, bytes, waitingSince } = outbox;
      const waitedMillis = waitingSince === undefined ? 0 : clock.elapsed() - waitingSince;
      return { cluster, segments, bytes, waitedMillis };
    },
  };
}

function reportCapture(report: (sentence: string) => void, event: CaptureEvent): void {
  switch (event.kind) {
    case "listed":
      return report(`Listed ${event.objects} ${event.resource} in ${(event.millis / 1000).toFixed(1)} s.`);
    case "gap":
      return report(`Recorded a gap of ${Math.ceil(event.millis / 1000)} s for ${event.resource}: ${event.reason}`);
    case "removed":
      return report(`The cluster serves ${event.resource} no longer. They are watched again once it does.`);
    case "problem":
      return report(event.message);
    case "rejected":
      return report(`Skipped ${event.object}, which cannot be read: ${event.reason}`);
    case "heard":
    case "relisting":
    case "stalled":
    case "watching":
  }
}
