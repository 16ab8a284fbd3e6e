import type { Turn } from "../concurrency/fair-turns.ts";
import { TimeSlice } from "../concurrency/time-slice.ts";
import type { SegmentQueue, SendOutcome } from "../ports/segment-queue.ts";
import type { OpenedItem } from "../projection/log-segment.ts";
import { LogDayRegistry } from "./log-day-registry.ts";
import type { ImportPorts } from "./import-facts.ts";
import { type IngestPorts, ingestSegment } from "./ingest-segment.ts";
import { errorMessage } from "../text/error-message.ts";

export interface LocalQueueOptions {
  readonly now: () => number;
  /**
   * Gets the causes where segments could not be projected completely. The log has them: a replay projects them again.
   */
  readonly onUnfolded: (causes: readonly unknown[]) => void;
  /** When readers have their turn. @default a slice of its own */
  readonly slice?: TimeSlice;
}

/** A segment queue in front of a tracker in the same process: an accepted segment is in the log and in the answers. */
export function createLocalQueue(ports: ImportPorts, options: LocalQueueOptions): SegmentQueue {
  // SQLite answers synchronously: readers have their turn between two segments, and between two Jobs of a segment.
  const { slice = new TimeSlice() } = options;
  const turn: Turn = () => slice.next();
  const fair: ImportPorts = { ...ports, project: (items) => ports.project(items, turn) };
  return {
    async send(segments) {
      const outcomes: SendOutcome[] = [];
      for (const { bytes } of segments) {
        const outcome = await takeAlone(fair, bytes, options);
        // Those after an unreachable one are sent again with it, in order.
        if (outcome.outcome === "unreachable") return segments.map((_, index) => outcomes[index] ?? outcome);
        outcomes.push(outcome);
        await slice.next();
      }
      return outcomes;
    },
  };
}

/** One segment in one transaction. */
async function takeAlone(
  ports: ImportPorts,
  bytes: Uint8Array,
  { now, onUnfolded }: LocalQueueOptions,
): Promise<SendOutcome> {
  let outcome: SendOutcome = { outcome: "unreachable", reason: "The transaction did not run." };
  try {
    await ports.atOnce(async () => {
      // A new registry for each transaction: a rollback also removes the days that it recorded.
      const taken = await take({ ...ports, days: new LogDayRegistry(ports.meta) }, bytes, now());
      const { refold } = await ports.project(taken.item === undefined ? [] : [taken.item]);
      if (refold.length > 0) onUnfolded(refold.map(({ cause }) => cause));
      outcome = taken.outcome;
    });
    return outcome;
  } catch (cause) {
    return { outcome: "unreachable", reason: errorMessage(cause) };
  }
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
