import pLimit from "p-limit";
import { attemptsOf, type Retry } from "../../ports/concurrency/retry.ts";
import { formatMillis } from "../../job/model/instant.ts";
import type { Log, LogHour, PackPage } from "../../ports/log.ts";
import { utcHour } from "../../segment/pack-key.ts";
import type { ClosedHours } from "./closed-hours.ts";
import type { RestoredMessage, RestoreOutcome } from "./restore-request.ts";
import { type ArrivedBytes, hashOf } from "./restored-bytes.ts";

/** Segments that arrived in the same UTC hour. */
export interface RestoreBatch {
  readonly segments: readonly ArrivedBytes[];
  /** The shards of this hour that may have some of them already. */
  readonly shards: readonly LogHour[];
}

export interface RestorePorts {
  readonly log: Log;
  /** Appends segments through the ingest function. */
  readonly append: (messages: readonly RestoredMessage[]) => Promise<readonly RestoreOutcome[]>;
  /** The hours that the stage has archived. Absent if it has no archive, or continues the one that it restores. */
  readonly closed?: Pick<ClosedHours, "place">;
  readonly retry: Retry;
}

export interface Restored {
  /** Segments of the source. */
  readonly segments: number;
  /** Segments that the log already had, for example from a run that was killed. */
  readonly known: number;
  /** Segments that arrived now, because the stage's archive has closed their hours without them. */
  readonly late: number;
  /** Those that are too old for the log. */
  readonly expired: number;
  /** Segments that this release cannot read. They are set aside. */
  readonly setAside: number;
}

/** Batches that are restored at the same time. */
const MAX_CONCURRENT = 8;

/**
 * Restores segments into a log that lacks them. Segments that the log has are not sent. Sent segments are read back:
 * one counts as restored when its bytes are in the log. There is no checkpoint, so a run that was killed is simply
 * repeated. Throws RestoreIncompleteError.
 */
export async function restoreSegments(
  ports: RestorePorts,
  batches: AsyncIterable<RestoreBatch>,
  onProgress: (segments: number) => void = () => {},
): Promise<Restored> {
  const restored = { segments: 0, known: 0, late: 0, expired: 0, setAside: 0 };
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  const start = async (batch: RestoreBatch): Promise<void> => {
    try {
      const done = await restoreBatch(ports, batch);
      for (const name of COUNTS) restored[name] += done[name];
      onProgress(restored.segments);
    } catch (cause) {
      // Waits for the running batches before the first failure is thrown.
      failures.push(cause);
    }
  };
  try {
    for await (const batch of batches) {
      const work: Promise<void> = start(batch).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= MAX_CONCURRENT) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return restored;
}

const COUNTS = ["segments", "known", "late", "expired", "setAside"] as const;

async function restoreBatch(ports: RestorePorts, { segments, shards }: RestoreBatch): Promise<Restored> {
  const present = await hashesIn(ports.log, shards, segments);
  const lacking = segments.filter(({ bytes }) => !present.has(hashOf(bytes)));
  const missing = (await ports.closed?.place(lacking)) ?? lacking;
  const returned = new Set(lacking);
  const known = segments.length - missing.length;
  const outcomes = await sendAll(ports, missing);
  await readBack(ports.log, missing, outcomes);
  return {
    segments: segments.length,
    known,
    late: missing.length - missing.filter((segment) => returned.has(segment)).length,
    expired: outcomes.filter(({ outcome }) => outcome === "expired").length,
    setAside: outcomes.filter(({ outcome }) => outcome === "setAside").length,
  };
}

/** Base64 takes four characters for three bytes, and an event at most 6 MB (Lambda quotas). */
const MAX_BYTES = 3_000_000;
/** The function has 30 seconds, and writes 16 packs at once. */
const MAX_SEGMENTS = 1_000;

async function sendAll(ports: RestorePorts, segments: readonly ArrivedBytes[]): Promise<readonly RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  let begin = 0;
  while (begin < segments.length) {
    let end = begin;
    for (let bytes = 0; end < segments.length && end - begin < MAX_SEGMENTS; end += 1) {
      bytes += segments[end]?.bytes.length ?? 0;
      if (bytes > MAX_BYTES && end > begin) break;
    }
    outcomes.push(...(await send(ports, segments.slice(begin, end))));
    begin = end;
  }
  return outcomes;
}

/** Sends what failed again, for example because the table was throttled. */
async function send({ append, retry }: RestorePorts, segments: readonly ArrivedBytes[]) {
  const outcomes: (RestoreOutcome | undefined)[] = segments.map(() => undefined);
  for await (const _ of attemptsOf(retry)) {
    const left = segments.map((_segment, index) => index).filter((index) => !isDone(outcomes[index]));
    if (left.length === 0) break;
    const answered = await append(left.flatMap((index) => messageOf(segments[index])));
    for (const [position, index] of left.entries()) outcomes[index] = answered[position];
  }
  return outcomes.map((outcome) => {
    if (outcome === undefined || outcome.outcome === "failed") throw new RestoreIncompleteError(outcome?.reason);
    return outcome;
  });
}

function isDone(outcome: RestoreOutcome | undefined): boolean {
  return outcome !== undefined && outcome.outcome !== "failed";
}

function messageOf(segment: ArrivedBytes | undefined): readonly RestoredMessage[] {
  if (segment === undefined) return [];
  return [{ body: Buffer.from(segment.bytes).toString("base64"), arrivedAt: segment.arrivedAt }];
}

async function readBack(
  log: Log,
  segments: readonly ArrivedBytes[],
  outcomes: readonly RestoreOutcome[],
): Promise<void> {
  const appended = segments.filter((_segment, index) => outcomes[index]?.outcome === "appended");
  const shards = new Set(outcomes.flatMap((one) => (one.outcome === "appended" ? [one.shard] : [])));
  const hours = new Set(appended.map(({ arrivedAt }) => utcHour(arrivedAt)));
  const places = [...hours].flatMap((hour) => [...shards].map((shard) => ({ shard, hour })));
  const present = await hashesIn(log, places, appended);
  const lost = appended.filter(({ bytes }) => !present.has(hashOf(bytes)));
  if (lost.length > 0) {
    throw new RestoreIncompleteError(
      `the ingest function reported ${lost.length} segments as appended, and the log does not have them.`,
    );
  }
}

/** Packs per request: below 1 MB, where DynamoDB ends a page by itself. */
const PACKS = 32;

/** The hashes of the segments in these places of the log, within the arrivals of `wanted`. */
async function hashesIn(
  log: Log,
  places: readonly LogHour[],
  wanted: readonly ArrivedBytes[],
): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  if (wanted.length === 0) return hashes;
  const arrivals = wanted.map(({ arrivedAt }) => arrivedAt);
  const first = arrivals.reduce((least, at) => Math.min(least, at));
  const last = arrivals.reduce((most, at) => Math.max(most, at));
  const before = `${formatMillis(last)}~`;
  await pLimit(MAX_CONCURRENT).map([...places], async (place) => {
    let after: string | undefined = formatMillis(first);
    while (after !== undefined) {
      const page: PackPage | undefined = await log.packs?.readHour(place, { after, before, limit: PACKS });
      for (const { items } of page?.packs ?? []) for (const { bytes } of items) hashes.add(hashOf(bytes));
      after = page?.next;
    }
  });
  return hashes;
}

/** Some segments are not in the log. Restored segments stay, and a repetition continues. */
export class RestoreIncompleteError extends Error {
  override readonly name = "RestoreIncompleteError";

  constructor(reason = "the ingest function did not answer.") {
    super(`The log is not restored completely: ${reason} Run the command again: it sends only what is missing.`);
  }
}
