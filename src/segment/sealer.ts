import { type Fact, isJobFact } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import { isFact } from "./fact-check.ts";
import { groupFacts, ungroupFacts } from "./fact-order.ts";
import { sealSegment } from "./seal-segment.ts";
import type { SealedSegment, Segment } from "./segment.ts";

export interface SealerOptions extends Pick<Segment, "cluster" | "kubeSystemUid" | "session"> {
  /** The sequence of the first segment; those after it count on. */
  readonly firstSequence: number;
  readonly maxJobs?: number;
  readonly maxBytes?: number;
}

export type AddOutcome =
  | { readonly outcome: "added" }
  /** The fact was not taken: seal what there is, then add it again. */
  | { readonly outcome: "full" }
  /** The fact is too large for any segment, or none that could be read back. The others are not to be lost with it. */
  | { readonly outcome: "rejected"; readonly reason: string };

/** Collects facts until there are enough for a segment. */
export interface Sealer {
  add(fact: Fact): AddOutcome;
  /** How many facts wait to be sealed. */
  readonly size: number;
  /**
   * Seals all that waits and begins anew: one segment, none where nothing waits, and several in the rare case that the facts compress so badly that
   * one would be too large. Which facts go into which follows from the facts alone.
   */
  seal(sealedAt: Instant): readonly SealedSegment[];
}

/** How many Jobs a segment speaks of at most: project writes the state of each. */
const MAX_SEGMENT_JOBS = 400;
/** How large a segment is at most: an SQS message of base64 holds it in 64 KiB, the size in which SQS bills. */
const MAX_SEGMENT_BYTES = 46 * 1024;
/**
 * How many characters of JSON wait at most. Usual facts shrink to a twentieth, and then this fills a segment. It also keeps the canonical text well
 * below what a decoder opens.
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
      if (!isFact(fact)) return { outcome: "rejected", reason: "A fact has a value that no fact can have." };
      const length = JSON.stringify(fact).length;
      if (length > maxBytes / 2 && !fitsAlone(fact, name, maxBytes)) {
        return {
          outcome: "rejected",
          reason: `A fact of kind ${fact.kind} does not fit into ${maxBytes} bytes even alone.`,
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
