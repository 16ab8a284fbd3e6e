import type { ServerMetrics } from "../../http/request-meter.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";
import { systemClock } from "../../ports/runtime/clock.ts";
import { createServerMetrics } from "../metrics/server-metrics.ts";
import type { Embedded } from "./embedded-tracker.ts";
import type { ClusterWatch } from "./watch-into.ts";

export interface TrackerMetricsOptions {
  readonly streams: OpenStreams;
  /** The names of the receivers of notifications. @default none */
  readonly receivers?: readonly string[];
  /** The watch of a cluster, once it has begun. @default no cluster is watched */
  readonly watch?: () => Pick<ClusterWatch, "backlog"> | undefined;
}

/** A receiver with more subjects than this has failed for long. Counting all of them would delay the scrape. */
const MOST_WAITING = 10_000;

/** The metrics of a process that serves this tracker. */
export function trackerMetrics(
  { files, dueSubjects }: Pick<Embedded, "files" | "dueSubjects">,
  { streams, receivers = [], watch = () => undefined }: TrackerMetricsOptions,
): ServerMetrics {
  return createServerMetrics(systemClock, {
    openStreams: () => streams.size,
    databaseFiles: files,
    intake: () => watch()?.backlog(),
    waitingNotices: () =>
      Promise.all(
        receivers.map(async (receiver) => ({ receiver, waiting: await dueSubjects.waiting(receiver, MOST_WAITING) })),
      ),
  });
}
