import type { Fact } from "../../../src/job/model/fact.ts";
import type { OutgoingSegment, SegmentQueue, SendOutcome } from "../../../src/ports/segment-queue.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";

/** A queue that accepts everything unless a test changes it. */
export class ScriptedQueue implements SegmentQueue {
  /** The segments of each send, accepted or not. */
  readonly sends: (readonly Uint8Array[])[] = [];
  readonly accepted: Uint8Array[] = [];
  /** The outcome of segment `at` of a send. */
  answer: (at: number) => SendOutcome = () => ({ outcome: "accepted" });

  async send(segments: readonly OutgoingSegment[]): Promise<readonly SendOutcome[]> {
    this.sends.push(segments.map(({ bytes }) => bytes));
    return segments.map(({ bytes }, at) => {
      const outcome = this.answer(at);
      if (outcome.outcome === "accepted") this.accepted.push(bytes);
      return outcome;
    });
  }

  refuse(reason: string): void {
    this.answer = () => ({ outcome: "refused", reason });
  }

  goAway(reason = "No answer."): void {
    this.answer = () => ({ outcome: "unreachable", reason });
  }

  comeBack(): void {
    this.answer = () => ({ outcome: "accepted" });
  }

  /** The facts of the accepted segments. */
  get segments(): readonly (readonly Fact[])[] {
    return this.accepted.map((bytes) => {
      const decoded = decodeSegment(bytes);
      if (decoded.outcome === "rejected") throw new Error(decoded.reason);
      return decoded.segment.facts;
    });
  }
}
