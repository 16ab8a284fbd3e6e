import { PodGcDetector } from "../../job/attribution/pod-gc-detector.ts";
import type { Fact } from "../../job/model/fact.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { MarkedNamespaces } from "../../kubernetes/translate/memory/marked-namespaces.ts";
import { OwnerMemory } from "../../kubernetes/translate/memory/owner-memory.ts";
import { fieldsOf, itemsOf, textOf } from "../../kubernetes/json/json-field.ts";
import type { Recorded } from "../../kubernetes/json/recorded.ts";
import { readRecording } from "../../kubernetes/recording/recording.ts";
import { ignored, type TextOptions, type Translated } from "../../kubernetes/translate/translated.ts";
import { translate } from "../../kubernetes/translate/translate.ts";
import { type GapTally, type MissingPart, RecordingGaps } from "./recording-gaps.ts";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandFailure } from "../command-line/command-failure.ts";

/** A part of a recording that could not be read. */
export interface Rejected {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** The result of reading recordings, besides the facts. */
export interface ReadingTally extends GapTally {
  /** The number of well-formed events of any kind. */
  events: number;
  readonly rejected: Rejected[];
  /** The number of rejected parts that `rejected` leaves out. */
  rejectedBeyond: number;
  /** When the last yielded event was received, if the recording has `receivedAt`, as `outlive record` writes it. */
  receivedAt?: Instant | undefined;
}

/** A file in another format has an invalid part in each line, so the list has a limit. */
const MAX_REJECTED = 10_000;

/** The most Pods whose Jobs are remembered, in order to recognize their release. */
const MAX_REMEMBERED_PODS = 50_000;

/** The most events of Pods without a controller that wait for the end. Few Pods are created by hand. */
const MAX_UNOWNED = 1000;

interface ReadingOptions extends Partial<TextOptions> {
  /** Gets each event before its facts are yielded. */
  readonly onEvent?: (event: unknown) => void;
}

/** Yields the facts of recordings, one event at a time. `tally` counts the events and lists unreadable parts. */
export async function* recordedFacts(
  names: readonly string[],
  tally: ReadingTally,
  options: ReadingOptions = {},
): AsyncGenerator<readonly Fact[]> {
  const owners = new OwnerMemory(MAX_REMEMBERED_PODS, { keepsDeleted: true });
  const unownedEvents: unknown[] = [];
  const podGc = new PodGcDetector();
  const ending = new RecordingEnd();
  const gaps = new RecordingGaps(tally);
  const translateNow = translatorOf(options, owners);
  for await (const event of recordedEvents(names, tally, gaps)) {
    const translated = translateNow(event.event);
    if (translated.outcome === "rejected") {
      const reason = translated.problems.map(({ path, message }) => `${path}: ${message}`).join(" ");
      gaps.open(UNREADABLE);
      reject(tally, { file: event.file, line: event.line, reason });
      continue;
    }
    tally.events += 1;
    if (translated.outcome === "ignored") {
      if (translated.unowned !== undefined && unownedEvents.length < MAX_UNOWNED) unownedEvents.push(event.event);
      continue;
    }
    owners.remember(translated.facts);
    ending.see(event.event, translated.facts);
    tally.receivedAt = receivedAtOf(event.event);
    const closed = gaps.closedBy(translated.facts, { isAdded: isAdded(event.event) });
    yield [...closed, ...translated.facts, ...podGc.hintsOf(translated.facts)];
  }
  // In a recording without order, the event that shows the Pod's Job may come later.
  for (const event of unownedEvents) {
    const translated = translateNow(event);
    if (translated.outcome !== "translated") continue;
    tally.receivedAt = receivedAtOf(event);
    yield translated.facts;
  }
  const end = [...ending.facts(), ...gaps.facts(ending.at)];
  if (end.length > 0) yield end;
}

function translatorOf({ onEvent, ...texts }: ReadingOptions, owners: OwnerMemory): (event: unknown) => Translated {
  const namespaces = new MarkedNamespaces();
  return (event) => {
    onEvent?.(event);
    const translated = translate(event, { ...texts, jobsOfPod: owners.jobsOf, arrivedAt: receivedAtOf(event) });
    if (translated.outcome !== "translated") return translated;
    const facts = namespaces.statedOf(translated.facts);
    return facts.length === 0
      ? ignored("The namespace has no new labels or annotations for Outlive.")
      : { ...translated, facts };
  };
}

/** Heartbeats of Nodes do not become facts. The last one shows that the cluster was still observed then. */
class RecordingEnd {
  #latest: Fact | undefined;
  #heartbeatAt: Instant = 0;

  see(event: unknown, facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (this.#latest === undefined || fact.at > this.#latest.at) this.#latest = fact;
      if (fact.kind === "NodeObserved") this.#heartbeatAt = Math.max(this.#heartbeatAt, heartbeatOf(event));
    }
  }

  /** The last instant of the recordings. */
  get at(): Instant {
    return Math.max(this.#heartbeatAt, this.#latest?.at ?? 0);
  }

  facts(): readonly Fact[] {
    if (this.#latest === undefined || this.#heartbeatAt <= this.#latest.at) return [];
    const { epoch, resourceVersion } = this.#latest;
    return [{ kind: "ClusterObserved", epoch, resourceVersion, at: this.#heartbeatAt }];
  }
}

function heartbeatOf(event: unknown): Instant {
  const conditions = itemsOf(fieldsOf(fieldsOf(fieldsOf(event)["object"])["status"])["conditions"]).map(fieldsOf);
  return Math.max(0, ...conditions.map((condition) => parseInstant(condition["lastHeartbeatTime"]) ?? 0));
}

function receivedAtOf(event: unknown): Instant | undefined {
  return parseInstant(fieldsOf(event)["receivedAt"]);
}

interface RecordedEvent {
  readonly file: string;
  readonly line: number;
  readonly event: unknown;
}

/** Why events may be missing around this part of a recording; `undefined` if none are. */
function missedAt(recorded: Recorded): MissingPart | undefined {
  if (!("event" in recorded)) return UNREADABLE;
  const { type, object } = fieldsOf(recorded.event);
  if (textOf(type) !== "ERROR") return undefined;
  return { reason: ENDED_BY_ERROR, isExpired: fieldsOf(object)["code"] === EXPIRED_CODE };
}

const UNREADABLE: MissingPart = {
  reason: "A part of the recording is damaged and was skipped.",
  isExpired: false,
};
const ENDED_BY_ERROR = "The recorded watch ended with an ERROR event.";
/** 410 Gone: the server no longer has the changes since the watch cursor. */
const EXPIRED_CODE = 410;

function isAdded(event: unknown): boolean {
  return textOf(fieldsOf(event)["type"]) === "ADDED";
}

/** Opens all recordings before it reads the first, so that a wrong name fails at once. */
async function* recordedEvents(
  names: readonly string[],
  tally: ReadingTally,
  gaps: RecordingGaps,
): AsyncGenerator<RecordedEvent> {
  const recordings = [];
  for (const file of names) recordings.push({ file, bytes: await openRecording(file) });
  for (const { file, bytes } of recordings) {
    gaps.enter(file);
    for await (const recorded of readRecording(bytes)) {
      const missed = missedAt(recorded);
      if (missed !== undefined) gaps.open(missed);
      if ("event" in recorded) yield { file, ...recorded };
      else reject(tally, { file, line: recorded.line, reason: recorded.problem });
    }
  }
}

function reject(tally: ReadingTally, rejected: Rejected): void {
  if (tally.rejected.length < MAX_REJECTED) tally.rejected.push(rejected);
  else tally.rejectedBeyond += 1;
}

/** The name of standard input. */
const STANDARD_INPUT = "-";
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a recording: a file, or standard input where `name` is `-`. Throws CommandFailure where it cannot be opened.
 */
export async function openRecording(name: string): Promise<AsyncIterable<Uint8Array>> {
  if (name === STANDARD_INPUT) return readBytes(name, process.stdin);
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw isFolder(name);
  } catch (error) {
    throw unreadable(name, error);
  }
  return readBytes(name, createReadStream(name, { highWaterMark: CHUNK_BYTES }));
}

async function* readBytes(name: string, stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** A CommandFailure for an error of the file system; other errors unchanged. */
function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const { code } = error;
  const options = { cause: error };
  if (code === "ENOENT") return new CommandFailure(2, `There is no file ${name}. Check the path.`, options);
  if (code === "EISDIR") return isFolder(name, options);
  if (code === "EACCES" || code === "EPERM") {
    return new CommandFailure(
      2,
      `Cannot read ${name}: access denied. Grant read permission, or pipe it to -.`,
      options,
    );
  }
  return new CommandFailure(
    2,
    `Cannot read recording ${name}: ${error.message}. Check the path and the disk.`,
    options,
  );
}

function isFolder(name: string, options?: ErrorOptions): CommandFailure {
  return new CommandFailure(2, `Cannot read ${name} as a recording: it is a folder. Name the files in it.`, options);
}
