import type { Fact, GapRecorded } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";

/** The number of gaps in which the recordings lack events that the cluster sent. Absent: none. */
export interface GapTally {
  gaps?: number;
}

/** Why events may be missing. */
export interface MissingPart {
  readonly reason: string;
  /** The watch expired. If a new list follows, the recording itself lacks nothing. */
  readonly isExpired: boolean;
}

/** A gap that no later event of its file has closed yet. */
interface OpenGap extends MissingPart {
  /** The last fact before it. Absent where the file begins with it. */
  readonly after?: Fact | undefined;
  /** The latest fact of the new list after the watch expired, as far as it was read. */
  readonly listed?: Fact | undefined;
}

/**
 * Finds the gaps of recordings. A gap reaches from the last event before a missing part to the first event after it in
 * the same file, or to the end of the recordings. When a watch has expired, a new list follows, whose events have type
 * ADDED: the gap then reaches to the last of them. Its id follows from these instants, so that a second import adds
 * nothing.
 */
export class RecordingGaps {
  readonly #tally: GapTally;
  readonly #unclosed: OpenGap[] = [];
  #open: OpenGap | undefined;
  #file: string | undefined;
  /** The latest fact of the file so far. */
  #last: Fact | undefined;
  /** The latest fact of all files. */
  #latest: Fact | undefined;

  constructor(tally: GapTally) {
    this.#tally = tally;
  }

  enter(file: string): void {
    if (this.#file === file) return;
    if (this.#open !== undefined) this.#unclosed.push(this.#open);
    this.#open = undefined;
    this.#last = undefined;
    this.#file = file;
  }

  /** Several missing parts between the same events are one gap. */
  open(part: MissingPart): void {
    const isExpired = part.isExpired && this.#open?.isExpired !== false;
    this.#open = { after: this.#last, ...part, ...this.#open, isExpired };
  }

  /** The gap that the facts of the next event close; none if no gap is open, or if the event is in the new list. */
  closedBy(facts: readonly Fact[], { isAdded }: { readonly isAdded: boolean }): readonly GapRecorded[] {
    const open = this.#open;
    const next = latestOf(facts);
    if (next === undefined) return [];
    this.#last = latestOf(this.#last === undefined ? [next] : [this.#last, next]);
    this.#latest = latestOf(this.#latest === undefined ? [next] : [this.#latest, next]);
    if (open === undefined) return [];
    const isListed = open.isExpired && isAdded;
    this.#open = isListed ? { ...open, listed: latestOf([...(open.listed ? [open.listed] : []), next]) } : undefined;
    return isListed ? [] : [this.#gap(open, next, next.at)];
  }

  /** The gaps that reach to the end of the recordings. Without any fact, they have no cluster's time: only counted. */
  facts(endsAt: Instant): readonly GapRecorded[] {
    if (this.#open !== undefined) this.#unclosed.push(this.#open);
    this.#open = undefined;
    const latest = this.#latest;
    if (latest !== undefined) return this.#unclosed.map((open) => this.#gap(open, latest, endsAt));
    this.#count(this.#unclosed.length);
    return [];
  }

  #count(gaps: number): void {
    if (gaps > 0) this.#tally.gaps = (this.#tally.gaps ?? 0) + gaps;
  }

  #gap({ after, reason, listed }: OpenGap, next: Fact, nextAt: Instant): GapRecorded {
    if (listed === undefined) this.#count(1);
    const { epoch, resourceVersion } = listed ?? next;
    const until = listed?.at ?? nextAt;
    const from = after?.at ?? until;
    const to = Math.max(from, until);
    const gapId = `recording-${from}-${to}`;
    return {
      kind: "GapRecorded",
      epoch,
      resourceVersion,
      at: to,
      gapId,
      from,
      to,
      resources: RESOURCES,
      reason,
    };
  }
}

/** All resources: the content of a missing part is unknown. */
const RESOURCES = ["jobs", "pods", "cronjobs", "nodes"];

function latestOf(facts: readonly Fact[]): Fact | undefined {
  return facts.reduce<Fact | undefined>(
    (latest, fact) => (latest === undefined || fact.at > latest.at ? fact : latest),
    undefined,
  );
}
