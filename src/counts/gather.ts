import type { Instant } from "../job/model/instant.ts";
import type { CountedMetrics } from "../metrics/sums/metric-differences.ts";
import {
  isAfter,
  type JobStream,
  type StreamedWrite,
  type StreamPage,
  type StreamShard,
  StreamTrimmedError,
} from "../ports/streams/job-stream.ts";
import { CLOSED, type StreamPositions } from "./count-records.ts";
import { Differences } from "./differences.ts";

export interface GatherRange {
  readonly from: StreamPositions;
  /** The end of a round that was interrupted. @default the newest writes */
  readonly to?: StreamPositions | undefined;
  /** Hours before it are not counted. */
  readonly since: Instant;
  /** About how many writes to read at most. @default 50,000 */
  readonly most?: number;
  /** What contributes to the metrics. @default nothing: they are not needed */
  readonly metrics?: CountedMetrics | undefined;
  /** Called with each write, in order for each Job. */
  readonly onWrite?: (write: StreamedWrite) => void;
}

/** The writes between two positions. */
export interface Gathered {
  readonly differences: Differences;
  readonly positions: StreamPositions;
  /** It ended early, because there are many writes. */
  readonly isPartial: boolean;
}

/** The differences of so many writes take some ten megabytes. */
const MOST_WRITES = 50_000;

/**
 * Reads the writes after `from`. A shard is read when the one that it continues was read to its end, so that the writes
 * of a Job stay in order. Throws {@link StreamTrimmedError} where writes are missing.
 */
export async function gather(stream: JobStream, range: GatherRange): Promise<Gathered> {
  const { from, since, metrics, most = MOST_WRITES } = range;
  const shards = await stream.shards();
  checkKept(shards, from);
  const differences = new Differences(since, metrics);
  const positions: Record<string, string> = {};
  for (const shard of parentsFirst(shards)) {
    const { id } = shard;
    const isRead = differences.writes < most && from[id] !== CLOSED && !isWaiting(shards, shard, positions);
    const position = isRead ? await readShard(stream, { ...range, shard, most }, differences) : from[id];
    if (position !== undefined) positions[id] = position;
  }
  return { differences, positions, isPartial: differences.writes >= most };
}

/** Whether the shard continues one that was not read to its end. */
function isWaiting(shards: readonly StreamShard[], { parent }: StreamShard, positions: StreamPositions): boolean {
  return shards.some(({ id }) => id === parent && positions[id] !== CLOSED);
}

/** A shard whose writes were not all read is kept until they are: otherwise some of them are lost. */
function checkKept(shards: readonly StreamShard[], from: StreamPositions): void {
  const kept = new Set(shards.map(({ id }) => id));
  const lost = Object.entries(from).find(([id, position]) => position !== CLOSED && !kept.has(id));
  if (lost !== undefined) throw new StreamTrimmedError(lost[0]);
}

function parentsFirst(shards: readonly StreamShard[]): readonly StreamShard[] {
  const byId = new Map(shards.map((shard) => [shard.id, shard]));
  const sorted = new Set<StreamShard>();
  for (const shard of shards) {
    const line: StreamShard[] = [];
    for (let at: StreamShard | undefined = shard; at !== undefined && !sorted.has(at); at = byId.get(at.parent ?? "")) {
      line.push(at);
    }
    for (const each of line.toReversed()) sorted.add(each);
  }
  return [...sorted];
}

interface ShardRange extends GatherRange {
  readonly shard: StreamShard;
  readonly most: number;
}

/** Returns the position after the last write that was read. A shard without writes has an empty one. */
async function readShard(stream: JobStream, range: ShardRange, into: Differences): Promise<string> {
  let position = range.from[range.shard.id] ?? "";
  for await (const page of pagesOf(stream, range)) {
    for (const write of page.writes) {
      into.add(write);
      range.onWrite?.(write);
    }
    position = page.isClosed ? CLOSED : (page.position ?? position);
    if (into.writes >= range.most) break;
  }
  return position;
}

/** The pages of a shard; those of a round that was interrupted, up to where it ended. */
async function* pagesOf(stream: JobStream, { shard, from, to }: ShardRange): AsyncGenerator<StreamPage, void> {
  const known = from[shard.id];
  const pages = stream.read(shard, known === "" ? undefined : known);
  if (to === undefined) return yield* pages;
  const end = to[shard.id];
  if (end === undefined || end === "") return;
  for await (const page of pages) {
    yield end === CLOSED ? page : { ...page, writes: page.writes.filter(({ position }) => !isAfter(position, end)) };
    if (end !== CLOSED && page.position !== undefined && !isAfter(end, page.position)) return;
  }
}
