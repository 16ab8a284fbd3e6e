import type { IngestAgain } from "../../src/ingest/redrive.ts";
import type { RedriveOutcome, RedrivenMessage } from "../../src/ingest/redrive-request.ts";
import { count } from "../../src/text/sentence.ts";
import type { SegmentQueue, SendOutcome } from "../../src/ports/segment-queue.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import type { Embedded } from "../../src/embedded/embedded-tracker.ts";
import { remark } from "../output/print-answer.ts";

/** Ingests messages again into a database file, one after the other. */
export function ingestHere(embedded: Embedded): IngestAgain {
  const queue = embedded.queue({ now: Date.now, onUnfolded });
  return async (messages) => {
    const outcomes: RedriveOutcome[] = [];
    for (const message of messages) outcomes.push(await ingest(queue, message));
    return outcomes;
  };
}

function onUnfolded(causes: readonly unknown[]): void {
  remark(`${count(causes.length, "segment")} could not be folded and are in the log: run "outlive replay".`);
}

async function ingest(queue: SegmentQueue, message: RedrivenMessage): Promise<RedriveOutcome> {
  const { messageId } = message;
  if (!("body" in message)) return { messageId, outcome: "failed", reason: KEPT_ELSEWHERE };
  const bytes = Buffer.from(message.body, "base64");
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return { messageId, outcome: "setAside", reason: decoded.reason };
  const [sent] = await queue.send([{ cluster: decoded.segment.cluster, bytes }]);
  return outcomeOf(messageId, sent ?? { outcome: "unreachable", reason: "Nothing said what became of the message." });
}

const KEPT_ELSEWHERE = "A database file keeps no large messages: this one is of a deployment on AWS, redrive it there.";

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
