import { inProcessClient } from "./in-process-client.ts";
import type { Embedded } from "./embedded-tracker.ts";
import { createMetaPositionStore } from "../delivery/meta-position-store.ts";
import { PositionKeeper } from "../delivery/position-keeper.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { CaptureEvent } from "../kubernetes/watch/capture-event.ts";
import type { ClusterConnection } from "../kubernetes/connection/cluster-connection.ts";
import { systemClock as clock } from "../runtime/clock.ts";
import { knownObjects } from "../exporter/known-objects.ts";
import { positionRules } from "../exporter/position-rules.ts";
import { relayCluster } from "../exporter/relay-cluster.ts";
import { errorMessage } from "../text/error-message.ts";

export interface WatchIntoOptions {
  readonly embedded: Embedded;
  readonly connection: ClusterConnection;
  readonly cluster: ClusterName;
  /** A sentence for whoever runs it. */
  readonly tell: (sentence: string) => void;
}

export interface Watching {
  /** Rejects when the watching cannot go on: the cluster is another one. */
  readonly ended: Promise<void>;
  /** Ends it, and resolves when what was seen is in the database. */
  readonly stop: () => Promise<void>;
}

const DRAIN_MILLIS = 10_000;

/** Watches a cluster into a database of this process: the exporter's watch, its segments, and no queue in between. */
export async function watchInto({ embedded, connection, cluster, tell }: WatchIntoOptions): Promise<Watching> {
  const store = createMetaPositionStore(embedded.meta, cluster);
  const { outbox, relay, position } = relayCluster({
    connection,
    cluster,
    queue: embedded.queue({ now: Date.now, onUnfolded: (causes) => tell(unfolded(causes)) }),
    known: () => knownObjects(inProcessClient(embedded, "this database"), cluster),
    clock,
    onNews: (news) => tellNews(tell, news),
    onDelivery: (event) => {
      if (event.kind === "unreachable" || event.kind === "refused") tell(event.reason);
    },
    onRejected: tell,
  });
  const keeper = new PositionKeeper({ store, clock, position, onFailed: (cause) => tell(String(cause)) });
  const kept = await store.read();
  relay.lead(kept === undefined ? undefined : positionRules.decode(kept));
  keeper.start();
  const running = relay.run();
  return {
    ended: Promise.race([running, outbox.broken]),
    stop: async () => {
      relay.stop();
      await running;
      await outbox.drain(DRAIN_MILLIS);
      await keeper.stop();
    },
  };
}

function unfolded([cause]: readonly unknown[]): string {
  const said = errorMessage(cause);
  return `Something could not be folded (${said}): the log has it, and "outlive replay" folds it again.`;
}

function tellNews(tell: (sentence: string) => void, news: CaptureEvent): void {
  switch (news.kind) {
    case "listed":
      return tell(`Listed ${news.objects} ${news.resource} in ${(news.millis / 1000).toFixed(1)} s.`);
    case "gap":
      return tell(
        `A blind window of ${Math.ceil(news.millis / 1000)} s for ${news.resource} was written down: ${news.reason}`,
      );
    case "problem":
      return tell(news.message);
    case "rejected":
      return tell(`${news.object} cannot be read and is passed over: ${news.reason}`);
    case "heard":
    case "relisting":
    case "stalled":
    case "watching":
  }
}
