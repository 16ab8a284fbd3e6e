import * as v from "valibot";
import { awsError } from "../../aws/aws-error.ts";
import { callJson, type JsonService } from "../../aws/json-api.ts";
import type { SignedEndpoint } from "../../aws/sign-request.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { StreamShard } from "../../ports/streams/job-stream.ts";

export interface StreamEndpoint extends SignedEndpoint {
  /** The ARN of the stream. */
  readonly stream: string;
}

const attribute = v.looseObject({
  S: v.exactOptional(v.string()),
  N: v.exactOptional(v.string()),
  B: v.exactOptional(v.string()),
});
const image = v.record(v.string(), attribute);
/** An item in the JSON of a stream. */
export type Image = v.InferOutput<typeof image>;

/** One write of an item. */
export interface StreamRecord {
  readonly key: Image;
  readonly position: string;
  readonly at: Instant;
  readonly before?: Image | undefined;
  readonly after?: Image | undefined;
}

const described = v.object({
  StreamDescription: v.object({
    Shards: v.optional(
      v.array(
        v.object({
          ShardId: v.string(),
          ParentShardId: v.optional(v.nullable(v.string())),
          SequenceNumberRange: v.optional(v.object({ EndingSequenceNumber: v.optional(v.nullable(v.string())) })),
        }),
      ),
      [],
    ),
    LastEvaluatedShardId: v.optional(v.nullable(v.string())),
  }),
});
const iterated = v.object({ ShardIterator: v.string() });
const received = v.object({
  NextShardIterator: v.optional(v.nullable(v.string())),
  Records: v.optional(
    v.array(
      v.object({
        dynamodb: v.object({
          /** Seconds since 1970. */
          ApproximateCreationDateTime: v.optional(v.number(), 0),
          Keys: image,
          SequenceNumber: v.string(),
          NewImage: v.optional(image),
          OldImage: v.optional(image),
        }),
      }),
    ),
    [],
  ),
});

const STREAMS: JsonService = {
  name: "DynamoDB Streams",
  signingName: "dynamodb",
  host: "streams.dynamodb",
  target: "DynamoDBStreams_20120810",
  throttles: ["LimitExceededException", "ThrottlingException"],
};

/** Requests to the API of DynamoDB Streams. Throws an AwsError. */
export class StreamClient {
  readonly #endpoint: StreamEndpoint;

  constructor(endpoint: StreamEndpoint) {
    this.#endpoint = endpoint;
  }

  /** All shards of the last 24 hours. */
  async shards(): Promise<readonly StreamShard[]> {
    const shards: StreamShard[] = [];
    let after: string | undefined;
    do {
      const from = after === undefined ? {} : { ExclusiveStartShardId: after };
      const { StreamDescription: page } = await this.#request("DescribeStream", described, from);
      for (const { ShardId: id, ParentShardId: parent, SequenceNumberRange: range } of page.Shards) {
        const isClosed = typeof range?.EndingSequenceNumber === "string";
        shards.push({ id, isClosed, ...(typeof parent === "string" && { parent }) });
      }
      after = page.LastEvaluatedShardId ?? undefined;
    } while (after !== undefined);
    return shards;
  }

  async iterator(shard: string, after: string | undefined): Promise<string> {
    const { ShardIterator } = await this.#request("GetShardIterator", iterated, {
      ShardId: shard,
      ...(after === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: after }),
    });
    return ShardIterator;
  }

  /** A page, and the iterator of the next one; `undefined` at the end of a closed shard. */
  async records(iterator: string): Promise<{ readonly records: readonly StreamRecord[]; readonly next?: string }> {
    const page = await this.#request("GetRecords", received, { ShardIterator: iterator });
    const records = page.Records.map(({ dynamodb }): StreamRecord => ({
      key: dynamodb.Keys,
      position: dynamodb.SequenceNumber,
      at: dynamodb.ApproximateCreationDateTime * 1_000,
      before: dynamodb.OldImage,
      after: dynamodb.NewImage,
    }));
    return { records, ...(typeof page.NextShardIterator === "string" && { next: page.NextShardIterator }) };
  }

  async #request<Answer>(action: string, schema: v.GenericSchema<unknown, Answer>, more: object): Promise<Answer> {
    const { stream } = this.#endpoint;
    const body = action === "GetRecords" ? more : { StreamArn: stream, ...more };
    try {
      return v.parse(schema, await callJson(STREAMS, this.#endpoint, { action, body }));
    } catch (cause) {
      throw awsError(`Stream ${stream}`, cause);
    }
  }
}
