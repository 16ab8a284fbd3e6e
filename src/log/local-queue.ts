import type { OpenedItem } from "../ports/log.ts";
import type { Turn } from "../ports/concurrency/fair-turns.ts";
import { TimeSlice } from "../ports/concurrency/time-slice.ts";
import type { SegmentQueue, SendOutcome } from "../ports/segment-queue.ts";
import { LogDayRegistry } from "./log-day-registry.ts";
import type { ImportPorts } from "./import-facts.ts";
import { type IngestPorts, ingestSegment } from "./ingest-segment.ts";
import { errorMessage } from "../job/text/error-message.ts";

export interface LocalQueueOptions {
  readonly now: () => number;
  /**
   * Receives the causes if segments could not be completely projected. The log has them, and a replay projects them
   * again.
   */
  readonly onUnfolded: (causes: readonly unknown[]) => void;
  /** When other work runs. @default after slices of a few milliseconds */
  readonly slice?: TimeSlice;
}

/**
 * The most segments of one transaction: several seconds of a cluster with 5,000 changes a second. A larger transaction
 * would delay answers, which are as of the last one.
 */
const MAX_SEGMENTS = 32;

/**
 * A segment queue in front of a tracker in the same process: an accepted segment is in the log and in the answers. The
 * segments of one call share a transaction, and each Job is written once for all of them. The further the tracker is
 * behind, the more segments come at once, and the less each change costs.
 */
export function createLocalQueue(ports: ImportPorts, options: LocalQueueOptions): SegmentQueue {
  // SQLite answers synchronously, so readers are served between two segments and between two Jobs.
  const { slice = new TimeSlice() } = options;
  const turn: Turn = () => slice.next();
  return {
    maxSegments: MAX_SEGMENTS,
    async send(segments) {
      const taken: Taken[] = [];
      try {
        await ports.atOnce(() => takeAll(ports, { segments, options, taken, turn }));
        return taken.map(({ outcome }) => outcome);
      } catch (cause) {
        // The transaction was rolled back as a whole.
        return segments.map(() => ({ outcome: "unreachable", reason: errorMessage(cause) }));
      }
    },
  };
}

interface Taking {
  readonly segments: Parameters<SegmentQueue["send"]>[0];
  readonly options: LocalQueueOptions;
  readonly taken: Taken[];
  readonly turn: Turn;
}

async function takeAll(ports: ImportPorts, { segments, options, taken, turn }: Taking): Promise<void> {
  // A new registry for each transaction: a rollback also removes the days that it recorded.
  const ingestPorts = { ...ports, days: new LogDayRegistry(ports.meta) };
  for (const { bytes } of segments) {
    taken.push(await take(ingestPorts, bytes, options.now()));
    await turn();
  }
  const { refold } = await ports.project(
    taken.flatMap(({ item }) => item ?? []),
    turn,
  );
  if (refold.length > 0) options.onUnfolded(refold.map(({ cause }) => cause));
}

interface Taken {
  readonly outcome: SendOutcome;
  readonly item?: OpenedItem;
}

async function take(ports: IngestPorts, bytes: Uint8Array, now: number): Promise<Taken> {
  const ingested = await ingestSegment(ports, bytes, { now });
  switch (ingested.outcome) {
    case "appended":
    case "duplicate":
      return { outcome: { outcome: "accepted" }, item: ingested.item };
    case "conflict":
    case "setAside":
      return { outcome: { outcome: "refused", reason: ingested.reason } };
  }
}
