import type { Fact } from "../job/model/fact.ts";
import { type Instant, parseInstant } from "../job/model/instant.ts";
import { OwnerMemory } from "../kubernetes/translate/owner-memory.ts";
import { fieldsOf } from "../kubernetes/json/json-field.ts";
import { readRecording } from "../kubernetes/recording/recording.ts";
import type { TextOptions } from "../kubernetes/translate/translated.ts";
import { translate } from "../kubernetes/translate/translate.ts";
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
  /** When the watch sent the event whose facts were yielded last, if the recording says so (`receivedAt`, as `outlive record` writes it). */
  receivedAt?: Instant | undefined;
}

/** A file of rubbish has a line of it for every line: who needs more than this to see it? */
const MAX_REJECTED = 10_000;

/** A Pod that is released was heard of not long before: so many other Pods may come in between. */
const MAX_REMEMBERED_PODS = 50_000;

/** Events of Pods that nothing controls are held until all is read, so many of them: few Pods are made by hand. */
const MAX_HELD = 1000;

/** The facts of recordings, one after the other, those of one event at a time. What cannot be read goes into `tally`. */
export async function* recordedFacts(
  names: readonly string[],
  tally: ReadingTally,
  texts: Partial<TextOptions> = {},
): AsyncGenerator<readonly Fact[]> {
  const owners = new OwnerMemory(MAX_REMEMBERED_PODS, { keepsGone: true });
  const held: unknown[] = [];
  for await (const event of recordedEvents(names, tally)) {
    const translated = translate(event.event, { ...texts, jobsOfPod: owners.jobsOf });
    if (translated.outcome === "rejected") {
      const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
      reject(tally, { file: event.file, line: event.line, reason });
      continue;
    }
    tally.events += 1;
    if (translated.outcome === "ignored") {
      if (translated.unowned !== undefined && held.length < MAX_HELD) held.push(event.event);
      continue;
    }
    owners.remember(translated.facts);
    tally.receivedAt = receivedAtOf(event.event);
    yield translated.facts;
  }
  // Who released a Pod may stand further on, where a recording is not in order.
  for (const event of held) {
    const translated = translate(event, { ...texts, jobsOfPod: owners.jobsOf });
    if (translated.outcome !== "translated") continue;
    tally.receivedAt = receivedAtOf(event);
    yield translated.facts;
  }
}

function receivedAtOf(event: unknown): Instant | undefined {
  return parseInstant(fieldsOf(event)["receivedAt"]);
}

interface RecordedEvent {
  readonly file: string;
  readonly line: number;
  readonly event: unknown;
}

/** All recordings are looked for before the first is read: a name that is wrong is told at once. */
async function* recordedEvents(names: readonly string[], tally: ReadingTally): AsyncGenerator<RecordedEvent> {
  const recordings = [];
  for (const file of names) recordings.push({ file, bytes: await openRecording(file) });
  for (const { file, bytes } of recordings) {
    for await (const recorded of readRecording(bytes)) {
      if ("event" in recorded) yield { file, ...recorded };
      else reject(tally, { file, line: recorded.line, reason: recorded.problem });
    }
  }
}

function reject(tally: ReadingTally, rejected: Rejected): void {
  if (tally.rejected.length < MAX_REJECTED) tally.rejected.push(rejected);
  else tally.rejectedBeyond += 1;
}
