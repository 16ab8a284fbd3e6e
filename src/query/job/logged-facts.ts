import { isJobFact, isPodFact, type JobFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import type { Segment } from "../../segment/segment.ts";
import { isSealedOnArrival } from "../../segment/segment-key.ts";

/** A fact with bounds for the instant at which it became true. Objects date only few of their changes, in seconds. */
export interface DatedFact {
  readonly fact: JobFact;
  /** The lower bound: the latest instant in its object, or in an earlier object of the same watch. */
  readonly notBefore: Instant;
  /** The upper bound: the arrival of the fact. Absent for a recording without arrival times. */
  readonly arrivedBy?: Instant;
}

/** When a fact may be shown first: at its arrival, or at its lower bound if the arrival is unknown. */
export function shownFrom({ notBefore, arrivedBy }: DatedFact): Instant {
  return arrivedBy ?? notBefore;
}

/**
 * The facts of one Job from the log, by segment. Skips missing and unreadable segments, whose facts the job state has.
 */
export async function* loggedFacts(log: Log, view: JobView): AsyncGenerator<DatedFact> {
  for await (const key of view.logKeys()) {
    const item = await log.read(key);
    const decoded = item === undefined ? undefined : decodeSegment(item.bytes);
    if (decoded?.outcome === "decoded") yield* datedFacts(decoded.segment, view.job.uid);
  }
}

/** Jobs and Pods have separate watches, and resourceVersions are ordered only within one watch. */
function datedFacts(segment: Segment, jobUid: JobUid): readonly DatedFact[] {
  const facts = segment.facts.filter(isJobFact);
  return [
    ...datedInOrder(
      facts.filter((fact) => !isPodFact(fact)),
      segment,
    ),
    ...datedInOrder(facts.filter(isPodFact), segment),
  ].filter(({ fact }) => fact.jobUid === jobUid);
}

function datedInOrder(facts: readonly JobFact[], segment: Segment): readonly DatedFact[] {
  const arrivedBy = isSealedOnArrival(segment) ? segment.sealedAt : undefined;
  let latestAt = -Infinity;
  return [...facts].sort(compareOrder).map((fact) => {
    latestAt = Math.max(latestAt, fact.at);
    // A node's clock may be ahead, but a fact is not later than its arrival.
    return arrivedBy === undefined
      ? { fact, notBefore: latestAt }
      : { fact, notBefore: Math.min(latestAt, arrivedBy), arrivedBy };
  });
}
