import type { SealedItem } from "../../../src/log/ingest-segment.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import type { SealedSegment } from "../../../src/segment/segment.ts";
import { clusterNamed, jobUid } from "../facts/names.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";

const EPOCH_MILLIS = Date.UTC(2026, 10, 21, 12);

/** A fact that `number` identifies. */
export function numberedFact(number: number): Fact {
  const resourceVersion = decodeResourceVersion(String(number));
  if (resourceVersion === undefined) throw new Error(`${number} is no resourceVersion.`);
  return { kind: "JobTracked", jobUid: jobUid(`job-${number}`), epoch: 0, resourceVersion, at: EPOCH_MILLIS };
}

/** One segment of one fact. */
export function numberedSegment(number: number): SealedSegment {
  return sealSegment({
    cluster: clusterNamed("east"),
    sealedAt: EPOCH_MILLIS,
    session: "0123456789abcdef",
    sequence: number,
    facts: [numberedFact(number)],
  });
}

/** Segment `number` as ingest opens it. */
export function openedSegment(number: number): SealedItem {
  const item = numberedSegment(number);
  const decoded = decodeSegment(item.bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return { ...item, segment: decoded.segment };
}
