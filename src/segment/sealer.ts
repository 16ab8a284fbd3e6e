import { type Fact, isJobFact } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import { isFact } from "./fact-check.ts";
import { groupFacts, ungroupFacts } from "./fact-order.ts";
import { sealSegment } from "./seal-segment.ts";
import type { SealedSegment, Segment } from "./segment.ts";

export interface SealerOptions extends Pick<Segment, "cluster" | "kubeSystemUid" | "session"> {
  /** The sequence number of the first segment. Later segments count up from it. */
  readonly firstSequence: number;
  readonly maxJobs?: number;
  readonly maxBytes?: number;
}

export type AddOutcome =
  | { readonly outcome: "added" }
  /** The fact was not added. Seal first, then add it again. */
  | { readonly outcome: "full" }
  /** The fact is too large for any segment, or could not be read back. Other facts are not affected. */
  | { readonly outcome: "rejected"; readonly reason: string };

/** Collects facts for a segment. */
export interface Sealer {
  add(fact: Fact): AddOutcome;
  /** The number of facts not yet sealed. */
  readonly size: number;
  /**
   * Seals all waiting facts and starts anew. Returns one segment, none where no fact waits, or several
   * where the facts compress so badly that one would be too large. The split depends only on the facts.
   */
  seal(sealedAt: Instant): readonly SealedSegment[];
}

/** The most Jobs of a segment: the projection writes the state of each. */
const MAX_SEGMENT_JOBS = 400;
/** The most bytes of a segment: in base64 it fits into 64 KiB, the unit in which SQS bills. */
const MAX_SEGMENT_BYTES = 46 * 1024;
/**
 * The most characters of JSON that wait. Typical facts shrink to a twentieth, which then fills a segment.
 * The limit also keeps the canonical text well below the decoder's limit.
 */
const MAX_WAITING_CHARACTERS = 1024 * 1024;

export function createSealer(options: SealerOptions): Sealer {
  const { maxJobs = MAX_SEGMENT_JOBS, maxBytes = MAX_SEGMENT_BYTES, firstSequence, ...name } = options;
  let sequence = firstSequence;
  let waiting: Fact[] = [];
  let jobs = new Set<string>();
  let characters = 0;

  const sealAll = (facts: readonly Fact[], sealedAt: Instant): readonly SealedSegment[] => {
    const sealed = sealSegment({ ...name, sealedAt, sequence, facts });
    if (sealed.bytes.length <= maxBytes || facts.length < 2) {
      sequence += 1;
      return [sealed];
    }
    const middle = Math.ceil(facts.length / 2);
    return [...sealAll(facts.slice(0, middle), sealedAt), ...sealAll(facts.slice(middle), sealedAt)];
  };

  return {
    add(fact) {
      if (!isFact(fact)) return { outcome: "rejected", reason: "The fact has an invalid value." };
      const length = JSON.stringify(fact).length;
      if (length > maxBytes / 2 && !fitsAlone(fact, name, maxBytes)) {
        return {
          outcome: "rejected",
          reason: `The fact (${fact.kind}) does not fit into a segment of ${maxBytes} bytes.`,
        };
      }
      const isNewJob = isJobFact(fact) && !jobs.has(fact.jobUid);
      if (waiting.length > 0 && (characters + length > MAX_WAITING_CHARACTERS || (isNewJob && jobs.size >= maxJobs))) {
        return { outcome: "full" };
      }
      waiting.push(fact);
      characters += length;
      if (isNewJob) jobs.add(fact.jobUid);
      return { outcome: "added" };
    },
    get size() {
      return waiting.length;
    },
    seal(sealedAt) {
      const facts = [...ungroupFacts(groupFacts(waiting))];
      waiting = [];
      jobs = new Set();
      characters = 0;
      return facts.length === 0 ? [] : sealAll(facts, sealedAt);
    },
  };
}

function fitsAlone(
  fact: Fact,
  name: Pick<Segment, "cluster" | "kubeSystemUid" | "session">,
  maxBytes: number,
): boolean {
  return sealSegment({ ...name, sealedAt: 0, sequence: 0, facts: [fact] }).bytes.length <= maxBytes;
}
