import { DEFAULT_LINGER_MILLIS } from "../../kubernetes/delivery/segment-batcher.ts";
import type { EventReasons } from "../../kubernetes/translate/explaining-events.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import { hostname } from "node:os";
import { type ApiClient } from "../client/api-client.ts";
import { type ListenAddress, type Listening, listen } from "../server/listen.ts";
import { CommandFailure } from "../command-line/command-failure.ts";
import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import { Leadership } from "../../kubernetes/delivery/leadership.ts";
import { PositionKeeper } from "../../kubernetes/delivery/position-keeper.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { KnownObjects } from "../../kubernetes/watch/known-objects.ts";
import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import type { ClusterConnection } from "../../kubernetes/connection/cluster-connection.ts";
import { createKubernetesLeaseStore, type LeaseName } from "../../kubernetes/connection/kubernetes-lease-store.ts";
import type { Position } from "../../kubernetes/watch/position.ts";
import type { PositionStore } from "../../ports/position-store.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";
import type { Spool } from "../../ports/spool.ts";
import { systemClock as clock } from "../../ports/runtime/clock.ts";
import type { Journal } from "../../ports/runtime/journal.ts";
import { auditApp } from "./audit-app.ts";
import type { AuditWebhook } from "./audit-webhook.ts";
import { AuditSource } from "./audit-source.ts";
import { ExporterMetrics } from "./exporter-metrics.ts";
import { logCapture, logDelivery } from "./exporter-journal.ts";
import { followAuditLog } from "./follow-audit-log.ts";
import { knownObjects } from "./read-known-objects.ts";
import { operationsApp } from "./operations-app.ts";
import { positionRules } from "./watch-position-rules.ts";
import { Readiness } from "./readiness.ts";
import { type ClusterRelay, relayCluster } from "./relay-cluster.ts";
import { errorMessage } from "../../job/text/error-message.ts";

export interface ExporterOptions {
  readonly connection: ClusterConnection;
  readonly cluster: ClusterName;
  readonly queue: SegmentQueue;
  /** Milliseconds by which the queue's clock is ahead of this machine's. */
  readonly queueAhead: () => number;
  readonly journal: Journal;
  readonly spool?: Spool;
  /** Stores the position, in addition to the lease or without one. */
  readonly positions?: PositionStore;
  /** The tracker, which knows the objects that existed before a gap. */
  readonly tracker?: ApiClient;
  readonly lease?: LeaseName;
  readonly metrics?: ListenAddress;
  readonly auditWebhook?: AuditWebhook | undefined;
  readonly auditLog?: string;
  /** Which texts may leave the cluster. @default none */
  readonly texts?: Partial<TextOptions>;
  /** The normal Events to keep. @default DEFAULT_EVENT_REASONS */
  readonly eventReasons?: EventReasons;
  /** How long a segment of few facts waits for more. @default DEFAULT_LINGER_MILLIS */
  readonly lingerMillis?: number;
  /** Stops the exporter when it resolves. */
  readonly stop: Promise<unknown>;
}

/** How long the exporter sends captured facts after a stop. Kubernetes kills a Pod after 30 s by default. */
const DRAIN_MILLIS = 20_000;
/** How often the certificate files of the audit webhook are read again. */
const RENEW_TLS_MILLIS = 60_000;

/**
 * Watches a cluster and sends facts until `stop`. Then it sends the remaining facts, writes the position and releases
 * the lease. Throws errors that retries cannot fix: the position is of another cluster, or the spool is unusable.
 */
export async function runExporter(options: ExporterOptions): Promise<void> {
  const exporter = new Exporter(options);
  await exporter.run();
}

class Exporter {
  readonly #options: ExporterOptions;
  readonly #relay: ClusterRelay;
  readonly #metrics: ExporterMetrics;
  readonly #readiness = new Readiness();
  readonly #audit: AuditSource;
  readonly #leadership: Leadership | undefined;
  readonly #keeper: PositionKeeper | undefined;
  #leaseProblem: string | undefined;

  constructor(options: ExporterOptions) {
    this.#options = options;
    const { connection, cluster, queue, spool, tracker, lease, positions, texts } = options;
    this.#relay = relayCluster({
      connection,
      cluster,
      queue,
      ...(spool !== undefined && { spool }),
      ...(tracker !== undefined && { known: () => this.#known(tracker) }),
      texts,
      eventReasons: options.eventReasons,
      lingerMillis: options.lingerMillis ?? DEFAULT_LINGER_MILLIS,
      clock,
      trackerAhead: options.queueAhead,
      onCapture: (event) => this.#onCapture(event),
      onDelivery: (event) => this.#onDelivery(event),
      onCaptured: (facts) => this.#metrics.onCaptured(facts),
      onRejected: (reason) => options.journal.error(reason),
    });
    const { outbox, session } = this.#relay;
    this.#metrics = new ExporterMetrics(clock, {
      bufferBytes: () => outbox.bytes,
      spoolBytes: () => spool?.bytes ?? 0,
      waitingSegments: () => outbox.size,
      isLeading: () => this.#leadership?.isHeld ?? true,
      failingSince: () => outbox.failingSince,
      acknowledgedUntil: () => outbox.acknowledged?.lastSeenAt,
    });
    this.#audit = new AuditSource({
      cluster,
      session: `a${session.slice(1)}`,
      queue,
      clock,
      onDelivery: (event) => this.#onDelivery(event),
      onAudit: (outcome) => this.#metrics.onAudit(outcome),
    });
    this.#leadership = lease === undefined ? undefined : this.#leadershipOf(lease);
    this.#keeper = positions === undefined ? undefined : this.#keeperOf(positions);
  }

  async run(): Promise<void> {
    const { stop, journal } = this.#options;
    const servers = await this.#listen();
    const following =
      this.#options.auditLog === undefined ? undefined : followAuditLog(this.#options.auditLog, this.#audit, journal);
    try {
      await this.#begin();
      const running = this.#relay.relay.run();
      await Promise.race([stop, running, this.#relay.outbox.broken, this.#audit.broken]);
      journal.info("Stopping. Captured facts are sent first.", { waiting: this.#relay.outbox.size });
      this.#relay.relay.stop();
      await running;
    } finally {
      following?.stop();
      await this.#end();
      for (const server of servers) await server.close();
    }
  }

  /**
   * Starts the capture. With a lease, its holder starts at the lease's position. Without one, this process starts at
   * its own position, which may be later than the lease's.
   */
  async #begin(): Promise<void> {
    const stored = positionOf(await this.#options.positions?.read());
    this.#keeper?.start();
    if (this.#leadership === undefined) return this.#relay.relay.lead(stored);
    if (stored !== undefined) this.#relay.outbox.passed(stored);
    this.#leadership.start();
  }

  async #end(): Promise<void> {
    const { outbox } = this.#relay;
    const [drained] = await Promise.all([outbox.drain(DRAIN_MILLIS), this.#audit.drain(DRAIN_MILLIS)]);
    await this.#keeper?.stop();
    await this.#leadership?.stop();
    const message = drained === "sent" ? "Stopped. All facts were sent." : "Stopped. The next exporter sends the rest.";
    this.#options.journal.info(message, { waiting: outbox.size });
  }

  #leadershipOf(lease: LeaseName): Leadership {
    const { connection } = this.#options;
    const { relay, session, position } = this.#relay;
    return new Leadership({
      store: createKubernetesLeaseStore(connection, lease),
      clock,
      identity: `${hostname()}_${session}`,
      position,
      onLead: (from) => relay.lead(positionOf(from)),
      onFollow: (at) => relay.follow(positionOf(at)),
      onLost: (reason) => relay.standBy(reason),
      onUnknown: (cause) => this.#onLeaseUnknown(errorMessage(cause)),
    });
  }

  /** The lease is read every two seconds. A problem is reported once, until it changes. */
  #onLeaseUnknown(reason: string): void {
    if (reason !== this.#leaseProblem) this.#onDelivery({ kind: "leaseUnknown", reason });
    this.#leaseProblem = reason;
  }

  #keeperOf(store: PositionStore): PositionKeeper {
    const onFailed = (cause: unknown) => this.#options.journal.warn(errorMessage(cause));
    return new PositionKeeper({ store, clock, position: this.#relay.position, onFailed });
  }

  async #listen(): Promise<readonly Listening[]> {
    const { metrics, auditWebhook, journal } = this.#options;
    const servers: Listening[] = [];
    if (metrics !== undefined) servers.push(await listen(this.#operations(), metrics));
    if (auditWebhook !== undefined) servers.push(await this.#listenForAudit(auditWebhook));
    for (const { url } of servers) journal.info("Listening.", { url });
    return servers;
  }

  async #listenForAudit({ token, tls, ...address }: AuditWebhook): Promise<Listening> {
    const server = await listen(auditApp(this.#audit, token), address, { ...(tls && { tls }) });
    const renewal = setInterval(() => this.#renewTls(server), RENEW_TLS_MILLIS);
    return { ...server, close: () => server.close().finally(() => clearInterval(renewal)) };
  }

  /** Certificates are renewed in place. An unusable file may be one that is being written at this moment. */
  #renewTls(server: Listening): void {
    try {
      server.renewTls();
    } catch (cause) {
      if (!(cause instanceof CommandFailure)) throw cause;
      this.#options.journal.warn(`The audit webhook keeps its previous certificate. ${cause.message}`);
    }
  }

  #operations() {
    const { outbox } = this.#relay;
    return operationsApp({
      registry: this.#metrics.registry,
      reasons: () =>
        this.#readiness.reasons({
          failingMillis: outbox.failingSince === undefined ? 0 : clock.elapsed() - outbox.failingSince,
          isWaiting: this.#leadership !== undefined && !this.#leadership.isHeld,
        }),
      problems: () => this.#readiness.problems,
    });
  }

  /** Without the tracker's response, deletions in a gap stay unknown. That is no reason to stop watching. */
  async #known(tracker: ApiClient): Promise<KnownObjects | undefined> {
    try {
      return await knownObjects(tracker, this.#options.cluster);
    } catch (cause) {
      this.#options.journal.warn(
        `Cannot read the known objects from the tracker: ${errorMessage(cause)} Check --tracker.`,
      );
      return undefined;
    }
  }

  #onCapture(event: CaptureEvent): void {
    this.#metrics.onCapture(event);
    this.#readiness.onCapture(event);
    logCapture(this.#options.journal, event);
  }

  #onDelivery(event: DeliveryEvent): void {
    this.#metrics.onDelivery(event);
    logDelivery(this.#options.journal, event);
  }
}

function positionOf(text: string | undefined): Position | undefined {
  return text === undefined ? undefined : positionRules.decode(text);
}
