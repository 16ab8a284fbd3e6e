import { type Fact, isJobFact, isPodFact, type JobFact } from "../../job/model/fact.ts";
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
  /**
   * The upper bound: the arrival of the fact. Absent for a recording without arrival times, and if the clock of the
   * exporter was behind that of the API server.
   */
  readonly arrivedBy?: Instant;
}

/** When a fact may be shown first: at its arrival, or at its lower bound if the arrival is unknown. */
export function shownFrom({ notBefore, arrivedBy }: DatedFact): Instant {
  return arrivedBy ?? notBefore;
}

interface LoggedJob {
  readonly log: Pick<Log, "read">;
  readonly view: JobView;
}

/**
 * The facts of one Job from the log, by segment. Skips missing and unreadable segments, whose facts the job state has.
 */
export async function* loggedFacts({ log, view }: LoggedJob): AsyncGenerator<DatedFact> {
  const clocks = new SessionClocks();
  for await (const key of view.logKeys()) {
    const item = await log.read(key);
    const decoded = item === undefined ? undefined : decodeSegment(item.bytes);
    if (decoded?.outcome === "decoded") yield* datedFacts(decoded.segment, view.job.uid, clocks);
  }
}

/** API servers date objects in whole seconds, rounded down, and an exporter keeps a segment open for a moment. */
const CLOCK_MARGIN_MS = 2_000;

/** How far the clock of each exporter is behind that of the API server, as shown by the segments so far. */
class SessionClocks {
  readonly #behind = new Map<string, number>();

  /**
   * An exporter seals facts after the API server has dated them, so later instants show that its clock is behind.
   * Clocks of Nodes are no evidence, because they date other facts.
   */
  behindMillis({ session, sealedAt, facts }: Segment): number {
    let behind = this.#behind.get(session) ?? 0;
    for (const fact of facts) {
      const datedByServer = serverInstantOf(fact);
      if (datedByServer !== undefined) behind = Math.max(behind, datedByServer - sealedAt);
    }
    this.#behind.set(session, behind);
    return behind;
  }
}

/** The instant that the API server itself wrote into the object. */
function serverInstantOf(fact: Fact): Instant | undefined {
  return fact.kind === "JobCreated" || fact.kind === "PodCreated" ? fact.createdAt : undefined;
}

/** Jobs and Pods have separate watches, and resourceVersions are ordered only within one watch. */
function datedFacts(segment: Segment, jobUid: JobUid, clocks: SessionClocks): readonly DatedFact[] {
  const behind = clocks.behindMillis(segment);
  const facts = segment.facts.filter(isJobFact);
  return [facts.filter((fact) => !isPodFact(fact)), facts.filter(isPodFact)]
    .flatMap((watch) => datedInOrder(watch, segment, behind))
    .filter(({ fact }) => fact.jobUid === jobUid);
}

function datedInOrder(facts: readonly JobFact[], segment: Segment, behind: number): readonly DatedFact[] {
  const arrivedBy = isSealedOnArrival(segment) ? segment.sealedAt : undefined;
  let latestAt = -Infinity;
  return [...facts].sort(compareOrder).map((fact) => {
    latestAt = Math.max(latestAt, fact.at);
    if (arrivedBy === undefined) return { fact, notBefore: latestAt };
    if (behind > 0) return { fact, notBefore: arrivedBy + behind + CLOCK_MARGIN_MS };
    // A node's clock may be ahead, but a fact is not later than its arrival.
    return { fact, notBefore: Math.min(latestAt, arrivedBy), arrivedBy };
  });
}
