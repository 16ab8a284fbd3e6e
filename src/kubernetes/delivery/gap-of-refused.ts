import type { Fact, GapRecorded } from "../../job/model/fact.ts";
import { compareOrder } from "../../job/model/order.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";

/**
 * The gap that a refused segment leaves: from its earliest to its latest instant. None for a segment that contains only
 * gaps, because a gap about a gap could be refused again without end.
 */
export function gapOfRefused(bytes: Uint8Array): GapRecorded | undefined {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return undefined;
  const { session, sequence, facts } = decoded.segment;
  const missed = facts.filter(({ kind }) => kind !== "GapRecorded");
  const [first] = missed;
  if (first === undefined) return undefined;
  const { epoch, resourceVersion } = missed.reduce<Fact>(
    (last, fact) => (compareOrder(last, fact) < 0 ? fact : last),
    first,
  );
  const from = missed.reduce((earliest, { at }) => Math.min(earliest, at), first.at);
  const to = missed.reduce((latest, { at }) => Math.max(latest, at), first.at);
  return {
    kind: "GapRecorded",
    epoch,
    resourceVersion,
    at: to,
    gapId: `refused-${session}-${sequence}`,
    from,
    to,
    resources: ["jobs", "pods", "cronjobs", "nodes"],
    reason: `The queue refused a segment of ${missed.length} facts.`,
  };
}
