import type { IngestAgain } from "../../src/log/redrive.ts";
import type { RedriveOutcome, RedrivenMessage } from "../../src/log/redrive-request.ts";
import { count } from "../../src/job/text/sentence.ts";
import type { SegmentQueue, SendOutcome } from "../../src/ports/segment-queue.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { remark } from "../output/print-answer.ts";

/** Ingests messages again into a database file, one after the other. */
export function ingestHere(embedded: Embedded): IngestAgain {
  const queue = embedded.queue({ now: Date.now, onUnfolded: reportUnprojected });
  return async (messages) => {
    const outcomes: RedriveOutcome[] = [];
    for (const message of messages) outcomes.push(await ingest(queue, message));
    return outcomes;
  };
}

function reportUnprojected(causes: readonly unknown[]): void {
  remark(`Could not project ${count(causes.length, "segment")} of the log. Run "outlive replay".`);
}

async function ingest(queue: SegmentQueue, message: RedrivenMessage): Promise<RedriveOutcome> {
  const { messageId } = message;
  if (!("body" in message)) return { messageId, outcome: "failed", reason: LARGE_MESSAGE };
  const bytes = Buffer.from(message.body, "base64");
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return { messageId, outcome: "setAside", reason: decoded.reason };
  const [sent] = await queue.send([{ cluster: decoded.segment.cluster, bytes }]);
  return outcomeOf(
    messageId,
    sent ?? { outcome: "unreachable", reason: "The queue returned no result for the message." },
  );
}

const LARGE_MESSAGE =
  "A database file stores no large messages. This one is from a deployment on AWS: redrive it with --stage.";

function outcomeOf(messageId: string, sent: SendOutcome): RedriveOutcome {
  switch (sent.outcome) {
    case "accepted":
      return { messageId, outcome: "appended" };
    case "refused":
      return { messageId, outcome: "setAside", reason: sent.reason };
    case "unreachable":
      return { messageId, outcome: "failed", reason: sent.reason };
  }
}
