import {
  isAfter,
  type JobStream,
  type StreamPage,
  type StreamShard,
  StreamTrimmedError,
} from "../../ports/streams/job-stream.ts";
import { StreamClient, type StreamEndpoint, type StreamRecord } from "./stream-client.ts";
import { toStreamedWrite } from "./stream-write.ts";

/** An open shard has no more for now after so many empty pages. */
const MOST_EMPTY = 2;
/** A closed shard ends by itself; its pages can be empty before. */
const MOST_EMPTY_CLOSED = 100;

/** The stream of a table of Jobs, with the images of each item before and after. */
export function createDynamoJobStream(endpoint: StreamEndpoint): JobStream {
  const client = new StreamClient(endpoint);
  return { shards: () => client.shards(), read: (shard, after) => readShard(client, shard, after) };
}

async function* readShard(
  client: StreamClient,
  { id, isClosed }: StreamShard,
  after: string | undefined,
): AsyncGenerator<StreamPage, void> {
  let iterator: string | undefined = await firstIterator(client, id, after);
  for (let empty = 0; iterator !== undefined && empty < (isClosed ? MOST_EMPTY_CLOSED : MOST_EMPTY);) {
    const page: Awaited<ReturnType<StreamClient["records"]>> = await client.records(iterator);
    iterator = page.next;
    empty = page.records.length === 0 ? empty + 1 : 0;
    yield toPage(page.records, iterator === undefined);
  }
}

async function firstIterator(client: StreamClient, shard: string, after: string | undefined): Promise<string> {
  try {
    return await client.iterator(shard, after);
  } catch (cause) {
    const isTrimmed = cause instanceof Error && cause.cause instanceof Error && cause.cause.name === TRIMMED;
    throw isTrimmed ? new StreamTrimmedError(shard, { cause }) : cause;
  }
}

const TRIMMED = "TrimmedDataAccessException";

function toPage(records: readonly StreamRecord[], isClosed: boolean): StreamPage {
  const writes = records.flatMap((record) => toStreamedWrite(record) ?? []);
  const position = records.reduce<string | undefined>(
    (last, { position: each }) => (last === undefined || isAfter(each, last) ? each : last),
    undefined,
  );
  return { writes, isClosed, ...(position !== undefined && { position }) };
}
