import { DescribeTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as v from "valibot";
import { callJson, type JsonService } from "../../../src/adapters/aws/json-api.ts";
import type { SignedEndpoint } from "../../../src/adapters/aws/sign-request.ts";
import type { DeliveredWrites } from "../../../src/count/record-batch.ts";
import { toStreamedWrite } from "../../../src/adapters/dynamodb/jobs/stream-write.ts";

const STREAMS: JsonService = {
  name: "DynamoDB Streams",
  signingName: "dynamodb",
  host: "streams.dynamodb",
  target: "DynamoDBStreams_20120810",
  throttles: [],
};

const described = v.object({ StreamDescription: v.object({ Shards: v.array(v.object({ ShardId: v.string() })) }) });
const iterated = v.object({ ShardIterator: v.string() });
const attribute = v.looseObject({
  S: v.exactOptional(v.string()),
  N: v.exactOptional(v.string()),
  B: v.exactOptional(v.string()),
});
const image = v.record(v.string(), attribute);
const received = v.object({
  NextShardIterator: v.optional(v.nullable(v.string())),
  Records: v.array(
    v.object({
      dynamodb: v.object({
        ApproximateCreationDateTime: v.optional(v.number()),
        Keys: image,
        SequenceNumber: v.string(),
        NewImage: v.optional(image),
        OldImage: v.optional(image),
      }),
    }),
  ),
});

/** After this many pages without records, reading of a shard stops for now, unlike on AWS. */
const MOST_EMPTY = 2;

/** Delivers the stream of a table on DynamoDB Local. */
export class LocalStream {
  readonly #client: DynamoDBClient;
  readonly #endpoint: SignedEndpoint;
  readonly #table: string;
  /** The last delivered write of each shard. */
  readonly #last = new Map<string, string>();

  constructor(client: DynamoDBClient, endpoint: string, table: string) {
    this.#client = client;
    this.#endpoint = {
      endpoint,
      region: () => client.config.region(),
      credentials: () => client.config.credentials(),
    };
    this.#table = table;
  }

  /** Delivers what is new. */
  async deliver(to: (delivered: DeliveredWrites) => Promise<unknown>): Promise<void> {
    const { Table } = await this.#client.send(new DescribeTableCommand({ TableName: this.#table }));
    const stream = { StreamArn: Table?.LatestStreamArn ?? "" };
    const { StreamDescription } = await this.#request("DescribeStream", described, stream);
    for (const { ShardId } of StreamDescription.Shards) await this.#deliverShard({ ...stream, ShardId }, to);
  }

  async #deliverShard(
    shard: { readonly StreamArn: string; readonly ShardId: string },
    to: (delivered: DeliveredWrites) => Promise<unknown>,
  ): Promise<void> {
    const last = this.#last.get(shard.ShardId);
    const from =
      last === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: last };
    let iterator: string | undefined = (await this.#request("GetShardIterator", iterated, { ...shard, ...from }))
      .ShardIterator;
    for (let empty = 0; empty < MOST_EMPTY && iterator !== undefined;) {
      const page: v.InferOutput<typeof received> = await this.#request("GetRecords", received, {
        ShardIterator: iterator,
      });
      const writes = page.Records.flatMap(({ dynamodb }) => toStreamedWrite(dynamodb) ?? []);
      if (writes.length > 0) await to({ shard: shard.ShardId, writes });
      const position = page.Records.at(-1)?.dynamodb.SequenceNumber;
      if (position !== undefined) this.#last.set(shard.ShardId, position);
      empty = position === undefined ? empty + 1 : 0;
      iterator = page.NextShardIterator ?? undefined;
    }
  }

  async #request<Answer>(action: string, schema: v.GenericSchema<unknown, Answer>, body: object): Promise<Answer> {
    return v.parse(schema, await callJson(STREAMS, this.#endpoint, { action, body }));
  }
}
