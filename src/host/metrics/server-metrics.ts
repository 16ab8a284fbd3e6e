import manifest from "../../../package.json" with { type: "json" };
import { CLIENT_LEFT, type ServerMetrics } from "../../http/request-meter.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import { MetricRegistry } from "./metric-registry.ts";

/** What was received from a cluster, and is neither in the log nor in the answers yet. */
export interface IntakeBacklog {
  readonly cluster: string;
  readonly segments: number;
  readonly bytes: number;
  /** How long the oldest of it has waited; 0 if nothing waits. */
  readonly waitedMillis: number;
}

/** What a server reads at each scrape. All of it takes the same time, however many Jobs are stored. */
export interface ServerGauges {
  readonly openStreams: () => number;
  /** The sizes of the files of the database. */
  readonly databaseFiles: () => readonly DatabaseFile[];
  /** Of the cluster that is watched. @default none is */
  readonly intake?: () => IntakeBacklog | undefined;
  /** Of each receiver of notifications. @default there are none */
  readonly waitingNotices?: () => Promise<readonly WaitingNotices[]>;
}

export interface DatabaseFile {
  readonly file: string;
  readonly bytes: number;
}

export interface WaitingNotices {
  readonly receiver: string;
  readonly waiting: number;
}

/** The metrics of a server about itself, with Prometheus names. A process has at most one. */
export function createServerMetrics({ elapsed }: Pick<Clock, "elapsed">, gauges: ServerGauges): ServerMetrics {
  const registry = new MetricRegistry("outlive_");
  registry.gauges(BUILD_INFO, async () => [
    { labels: { version: manifest.version, node_version: process.version }, value: 1 },
  ]);
  addGauges(registry, gauges);
  const requests = registry.counter(REQUESTS);
  const durations = registry.histogram(REQUEST_DURATION, DURATION_BOUNDS);
  return {
    elapsed,
    text: (format) => registry.text(format),
    onAnswered: ({ method: sent, route, status, milliseconds }) => {
      const method = METHODS.has(sent) ? sent : "other";
      requests.inc({ method, route, code: String(status) });
      if (status !== CLIENT_LEFT) durations.observe({ method, route }, milliseconds / 1000);
    },
  };
}

const BUILD_INFO = {
  name: "build_info",
  help: "1, with the release of Outlive and of Node",
  labels: ["version", "node_version"],
} as const;
const REQUESTS = {
  name: "http_requests_total",
  help: "Requests by the template of their route; code 499: the client left before the answer was ready",
  labels: ["method", "route", "code"],
} as const;
const REQUEST_DURATION = {
  name: "http_request_duration_seconds",
  help: "Seconds until an answer was ready, without the time in which it waited for a change",
  labels: ["method", "route"],
} as const;
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A client may send any method. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function addGauges(registry: MetricRegistry, gauges: ServerGauges): void {
  const { openStreams, databaseFiles, intake = () => undefined, waitingNotices = async () => [] } = gauges;
  registry.gauge("http_open_streams", "Streams of changes that clients have open", openStreams);
  registry.gauges(DATABASE_SIZE, async () =>
    databaseFiles().map(({ file, bytes }) => ({ labels: { file }, value: bytes })),
  );
  const ofCluster = (figure: (backlog: IntakeBacklog) => number) => async () => {
    const backlog = intake();
    return backlog === undefined ? [] : [{ labels: { cluster: backlog.cluster }, value: figure(backlog) }];
  };
  registry.gauges(
    INGEST_LAG,
    ofCluster(({ waitedMillis }) => waitedMillis / 1000),
  );
  registry.gauges(
    QUEUE_SEGMENTS,
    ofCluster(({ segments }) => segments),
  );
  registry.gauges(
    QUEUE_BYTES,
    ofCluster(({ bytes }) => bytes),
  );
  registry.gauges(WAITING_NOTICES, async () =>
    (await waitingNotices()).map(({ receiver, waiting }) => ({ labels: { receiver }, value: waiting })),
  );
}

const DATABASE_SIZE = {
  name: "database_size_bytes",
  help: "Size of the database file and of its write-ahead log",
  labels: ["file"],
} as const;
const INGEST_LAG = {
  name: "ingest_lag_seconds",
  help: "How long the oldest facts have waited that were received from the cluster and are not stored",
  labels: ["cluster"],
} as const;
const QUEUE_SEGMENTS = {
  name: "projection_queue_segments",
  help: "Segments that were received from the cluster and are neither logged nor projected",
  labels: ["cluster"],
} as const;
const QUEUE_BYTES = {
  name: "projection_queue_bytes",
  help: "Compressed bytes of these segments",
  labels: ["cluster"],
} as const;
const WAITING_NOTICES = {
  name: "notifications_waiting",
  help: "Jobs, runs and CronJobs with messages that wait for the receiver; the count stops at 10,000",
  labels: ["receiver"],
} as const;
