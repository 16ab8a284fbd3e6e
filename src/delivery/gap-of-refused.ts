import type { Fact, GapRecorded } from "../job/model/fact.ts";
import { compareOrder } from "../job/model/order.ts";
import { decodeSegment } from "../segment/decode-segment.ts";

/**
 * What the tracker will not learn because nobody takes the segment, as a blind window: from the earliest to the latest instant it spoke of. None where it
 * spoke of blind windows only: one is not written down about another for ever.
 */
export function gapOfRefused(bytes: Uint8Array): GapRecorded | undefined {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return undefined;
  const { session, sequence, facts } = decoded.segment;
  const told = facts.filter(({ kind }) => kind !== "GapRecorded");
  const [first] = told;
  if (first === undefined) return undefined;
  const { epoch, resourceVersion } = told.reduce<Fact>(
    (last, fact) => (compareOrder(last, fact) < 0 ? fact : last),
    first,
  );
  const from = told.reduce((earliest, { at }) => Math.min(earliest, at), first.at);
  const to = told.reduce((latest, { at }) => Math.max(latest, at), first.at);
  return {
    kind: "GapRecorded",
    epoch,
    resourceVersion,
    at: to,
    gapId: `refused-${session}-${sequence}`,
    from,
    to,
    resources: ["jobs", "pods", "cronjobs", "nodes"],
    reason: `The queue refused a segment of ${told.length} facts.`,
  };
}
