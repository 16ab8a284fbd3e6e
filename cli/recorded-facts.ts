import type { Fact } from "../src/job/fact.ts";
import { OwnerMemory } from "../src/kubernetes/owner-memory.ts";
import { readRecording } from "../src/kubernetes/recording.ts";
import { translate } from "../src/kubernetes/translate.ts";
import { openRecording } from "./open-recording.ts";

/** A place of a recording that could not be read. */
export interface Rejected {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** What reading recordings came to, beside the facts. */
export interface ReadingTally {
  /** Events that were well-formed, of whatever kind. */
  events: number;
  readonly rejected: Rejected[];
  /** Rejected places beyond those that are listed. */
  rejectedBeyond: number;
}

/** A file of rubbish has a line of it for every line: who needs more than this to see it? */
const MAX_REJECTED = 10_000;

/** The most Pods that a cluster is run with at once (150,000 by upstream's own limits) and some that are going. */
const MAX_REMEMBERED_PODS = 200_000;

/** The facts of recordings, one after the other, those of one event at a time. What cannot be read goes into `tally`. */
export async function* recordedFacts(names: readonly string[], tally: ReadingTally): AsyncGenerator<readonly Fact[]> {
  const owners = new OwnerMemory(MAX_REMEMBERED_PODS);
  const recordings = [];
  for (const name of names) recordings.push({ name, bytes: await openRecording(name) });
  for (const { name, bytes } of recordings) {
    for await (const recorded of readRecording(bytes)) {
      if ("problem" in recorded) {
        reject(tally, { file: name, line: recorded.line, reason: recorded.problem });
        continue;
      }
      const translated = translate(recorded.event, { jobsOfPod: owners.jobsOf });
      if (translated.outcome === "rejected") {
        const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
        reject(tally, { file: name, line: recorded.line, reason });
        continue;
      }
      tally.events += 1;
      if (translated.outcome !== "translated") continue;
      owners.remember(translated.facts);
      yield translated.facts;
    }
  }
}

function reject(tally: ReadingTally, rejected: Rejected): void {
  if (tally.rejected.length < MAX_REJECTED) tally.rejected.push(rejected);
  else tally.rejectedBeyond += 1;
}
