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

/** The most Jobs of a segment: the projection writes the state of each. */
const MAX_SEGMENT_JOBS = 400;
/** The most bytes of a segment: in base64 it fits into 64 KiB, the unit in which SQS bills. */
const MAX_SEGMENT_BYTES = 46 * 1024;
/**
 * The most characters of JSON that wait. Typical facts shrink to a twentieth, which then fills a segment.
 * The limit also keeps the canonical text well below the decoder's limit.
 */
const MAX_WAITING_CHARACTERS = 1024 * 1024;

type SessionName = Pick<Segment, "cluster" | "kubeSystemUid" | "session">;

/** Collects facts for segments of one session. */
export class Sealer {
  readonly #name: SessionName;
  readonly #maxJobs: number;
  readonly #maxBytes: number;
  #sequence: number;
  #waiting: Fact[] = [];
  #jobs = new Set<string>();
  #characters = 0;

  constructor({ maxJobs = MAX_SEGMENT_JOBS, maxBytes = MAX_SEGMENT_BYTES, firstSequence, ...name }: SealerOptions) {
    this.#name = name;
    this.#maxJobs = maxJobs;
    this.#maxBytes = maxBytes;
    this.#sequence = firstSequence;
  }

  /** The number of facts not yet sealed. */
  get size(): number {
    return this.#waiting.length;
  }

  add(fact: Fact): AddOutcome {
    if (!isFact(fact)) return { outcome: "rejected", reason: "The fact has an invalid value." };
    const length = JSON.stringify(fact).length;
    if (length > this.#maxBytes / 2 && !this.#fitsAlone(fact)) {
      const reason = `The fact (${fact.kind}) does not fit into a segment of ${this.#maxBytes} bytes.`;
      return { outcome: "rejected", reason };
    }
    const job = isJobFact(fact) ? fact.jobUid : undefined;
    if (this.#waiting.length > 0 && this.#isFull(length, job)) return { outcome: "full" };
    this.#waiting.push(fact);
    this.#characters += length;
    if (job !== undefined) this.#jobs.add(job);
    return { outcome: "added" };
  }

  /**
   * Seals all waiting facts and starts anew. Returns one segment, none where no fact waits, or several
   * where the facts compress so badly that one would be too large. The split depends only on the facts.
   */
  seal(sealedAt: Instant): readonly SealedSegment[] {
    const facts = [...ungroupFacts(groupFacts(this.#waiting))];
    this.#waiting = [];
    this.#jobs = new Set();
    this.#characters = 0;
    return facts.length === 0 ? [] : this.#sealAll(facts, sealedAt);
  }

  #isFull(length: number, job: string | undefined): boolean {
    if (this.#characters + length > MAX_WAITING_CHARACTERS) return true;
    return job !== undefined && !this.#jobs.has(job) && this.#jobs.size >= this.#maxJobs;
  }

  #sealAll(facts: readonly Fact[], sealedAt: Instant): readonly SealedSegment[] {
    const sealed = sealSegment({ ...this.#name, sealedAt, sequence: this.#sequence, facts });
    if (sealed.bytes.length <= this.#maxBytes || facts.length < 2) {
      this.#sequence += 1;
      return [sealed];
    }
    const middle = Math.ceil(facts.length / 2);
    return [...this.#sealAll(facts.slice(0, middle), sealedAt), ...this.#sealAll(facts.slice(middle), sealedAt)];
  }

  #fitsAlone(fact: Fact): boolean {
    const { bytes } = sealSegment({ ...this.#name, sealedAt: 0, sequence: 0, facts: [fact] });
    return bytes.length <= this.#maxBytes;
  }
}
