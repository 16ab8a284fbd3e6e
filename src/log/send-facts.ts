import { DAY_MILLIS, type Instant } from "../job/model/instant.ts";
import type { SegmentQueue } from "../ports/segment-queue.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import { contentSession } from "./content-session.ts";
import { type FactSource, type Imported, type ImportOptions, sealAndDeliver } from "./import-facts.ts";

/** Ingest accepts segments that were sealed within 15 days. One day is reserved for the delivery. */
const OLDEST_MS = 14 * DAY_MILLIS;

/**
 * Sends the facts of a recording through the queue of a deployment, as a registered sender. `appended` counts what the
 * queue has accepted: ingest checks the sender and appends.
 *
 * Each segment is named after its content, so that a repetition is a duplicate. A segment keeps the instant at which
 * its facts were recorded, unless ingest would refuse it as too old. Then it is sealed at the beginning of this UTC
 * day: a repetition on the same day is a duplicate, and one on another day repeats facts, which changes no answer.
 */
export async function sendFacts(queue: SegmentQueue, facts: FactSource, options: ImportOptions): Promise<Imported> {
  const { cluster, now } = options;
  return sealAndDeliver(facts, options, async (messages, imported) => {
    const segments = messages.map((bytes) => ({ cluster, bytes: renamed(bytes, now) }));
    for (const sent of await queue.send(segments)) {
      if (sent.outcome === "accepted") imported.appended += 1;
      else imported.refused.push(sent.reason);
    }
  });
}

/**
 * The instant at which recorded facts count as sealed: their own, unless ingest would reject it as too old. Then it is
 * the beginning of the current UTC day.
 */
export function acceptedSealedAt(at: Instant, now: Instant): Instant {
  return at < now - OLDEST_MS ? now - (now % DAY_MILLIS) : at;
}

function renamed(bytes: Uint8Array, now: Instant): Uint8Array {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new TypeError(`Invalid segment: ${decoded.reason}`);
  const { segment } = decoded;
  const sealedAt = acceptedSealedAt(segment.sealedAt, now);
  return sealSegment({ ...segment, sealedAt, session: contentSession(segment.facts), sequence: 0 }).bytes;
}
