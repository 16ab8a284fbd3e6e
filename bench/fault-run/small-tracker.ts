import { type Embedded, openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { type Listening, listen } from "../../src/host/server/listen.ts";
import { serverApi } from "../../src/host/server/server-api.ts";
import { type ClusterName, decodeClusterName } from "../../src/job/model/ids.ts";
import { decodeMessageBody } from "../../src/adapters/sqs/message-body.ts";
import type { SmallSqs } from "../../test/support/aws/small-sqs.ts";

const PERIOD_MILLIS = 200;

interface Served {
  readonly embedded: Embedded;
  readonly server: Listening;
}

/**
 * The tracker behind the queue, which an exporter with `--tracker` queries after a gap. Like a real one, it has
 * recently accepted segments.
 */
export class SmallTracker {
  readonly url: string;
  readonly #embedded: Embedded;
  readonly #server: Listening;
  readonly #sqs: SmallSqs;
  readonly #cluster: ClusterName;
  #done = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor({ embedded, server }: Served, sqs: SmallSqs, cluster: ClusterName) {
    this.#embedded = embedded;
    this.#server = server;
    this.#sqs = sqs;
    this.#cluster = cluster;
    this.url = server.url;
    this.#plan();
  }

  static async start(options: {
    readonly database: string;
    readonly cluster: string;
    readonly sqs: SmallSqs;
  }): Promise<SmallTracker> {
    const cluster = decodeClusterName(options.cluster);
    if (cluster === undefined) throw new Error(`${options.cluster} is not the name of a cluster.`);
    const embedded = openEmbedded(options.database);
    const app = serverApi({ stores: embedded, access: { kind: "loopback" }, onError: (error) => console.error(error) });
    const server = await listen(app, { host: "127.0.0.1", port: 0 });
    return new SmallTracker({ embedded, server }, options.sqs, cluster);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#server.close();
    this.#embedded.close();
  }

  #plan(): void {
    this.#timer = setTimeout(() => void this.#take().then(() => this.#plan()), PERIOD_MILLIS);
  }

  async #take(): Promise<void> {
    const fresh = this.#sqs.taken.slice(this.#done);
    this.#done += fresh.length;
    if (fresh.length === 0) return;
    const queue = this.#embedded.queue({ now: Date.now, onUnfolded: (causes) => console.error(causes) });
    const outcomes = await queue.send(fresh.map(({ body }) => ({ cluster: this.#cluster, bytes: bytesOf(body) })));
    for (const outcome of outcomes) if (outcome.outcome !== "accepted") console.error(outcome.reason);
  }
}

function bytesOf(body: string): Uint8Array {
  const decoded = decodeMessageBody(body);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.bytes;
}
