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
}

/** A segment queue in front of a tracker in the same process: an accepted segment is in the log and in the answers. */
export function createLocalQueue(ports: ImportPorts, { now, onUnfolded }: LocalQueueOptions): SegmentQueue {
  return {
    async send(segments) {
      const outcomes: SendOutcome[] = [];
      try {
        await ports.atOnce(async () => {
          // For this transaction only: a failed one rolls back the days that it recorded.
          const ingestPorts = { ...ports, days: new LogDayRegistry(ports.meta) };
          const taken = [];
          for (const { bytes } of segments) taken.push(await take(ingestPorts, bytes, now()));
          const { refold } = await ports.project(taken.flatMap(({ item }) => item ?? []));
          if (refold.length > 0) onUnfolded(refold.map(({ cause }) => cause));
          outcomes.push(...taken.map(({ outcome }) => outcome));
        });
      } catch (cause) {
        const reason = errorMessage(cause);
        return segments.map(() => ({ outcome: "unreachable", reason }));
      }
      return outcomes;
    },
  };
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
