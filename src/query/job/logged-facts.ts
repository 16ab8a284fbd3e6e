import { isJobFact, isPodFact, type JobFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import type { Segment } from "../../segment/segment.ts";
import { isSealedOnArrival } from "../../segment/segment-key.ts";

/**
 * A fact with what bounds the instant at which it became true. An object dates few of its changes, and those by whole
 * seconds.
 */
export interface DatedFact {
  readonly fact: JobFact;
  /** It was not true before: the latest instant that its object, or one before it in the same watch, had named. */
  readonly notBefore: Instant;
  /** It had arrived by then. Absent for a recording without arrival times. */
  readonly arrivedBy?: Instant;
}

/** From when on a fact may be shown: when it had arrived, and the lower bound if that is unknown. */
export function shownFrom({ notBefore, arrivedBy }: DatedFact): Instant {
  return arrivedBy ?? notBefore;
}

/**
 * The facts of one Job as the log has them, segment by segment. Skips a segment that is gone or unreadable: its facts
 * are in the job state.
 */
export async function* loggedFacts(log: Log, view: JobView): AsyncGenerator<DatedFact> {
  for await (const key of view.logKeys()) {
    const item = await log.read(key);
    const decoded = item === undefined ? undefined : decodeSegment(item.bytes);
    if (decoded?.outcome === "decoded") yield* datedFacts(decoded.segment, view.job.uid);
  }
}

/** Jobs and Pods come on one watch each, and only within one watch do resourceVersions order what happened. */
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
    // A node's clock that is ahead cannot date a fact later than it arrived.
    return arrivedBy === undefined
      ? { fact, notBefore: latestAt }
      : { fact, notBefore: Math.min(latestAt, arrivedBy), arrivedBy };
  });
}
