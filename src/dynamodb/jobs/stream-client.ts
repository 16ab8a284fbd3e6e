import * as v from "valibot";
import { awsError } from "../../aws/aws-error.ts";
import { batchRetry } from "../../aws/batch-retry.ts";
import { type Credentials, signedHeaders } from "../../aws/sign-request.ts";
import { attemptsOf, type Retry } from "../../concurrency/retry.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { StreamShard } from "../../ports/streams/job-stream.ts";

export interface StreamEndpoint {
  /** The ARN of the stream. */
  readonly stream: string;
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<Credentials>;
  /** An emulator's address. @default AWS */
  readonly endpoint?: string | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
  /** @default batchRetry() */
  readonly retry?: Retry;
  /** @default Date.now */
  readonly now?: () => number;
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

const TARGET = "DynamoDBStreams_20120810";
const REQUEST_MILLIS = 10_000;

/**
 * Requests to the API of DynamoDB Streams. They are signed here, because its SDK client would be one more package in
 * the bundles for three requests. Throws an AwsError.
 */
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
    const body = JSON.stringify(action === "GetRecords" ? more : { StreamArn: stream, ...more });
    try {
      return v.parse(schema, await this.#sendWithRetries(action, body));
    } catch (cause) {
      throw awsError(`Stream ${stream}`, connectionError(cause) ?? cause);
    }
  }

  async #sendWithRetries(action: string, body: string): Promise<unknown> {
    let error: Error | undefined;
    for await (const _ of attemptsOf(this.#endpoint.retry ?? batchRetry())) {
      const response = await this.#send(action, Buffer.from(body));
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as unknown;
      error = errorIn(response.status, text);
      if (response.status < 500 && !THROTTLES.has(error.name)) break;
    }
    throw error ?? new Error("DynamoDB Streams was not called.");
  }

  async #send(action: string, body: Buffer<ArrayBuffer>): Promise<Response> {
    const { endpoint, fetch: send = fetch, now = Date.now } = this.#endpoint;
    const [region, credentials] = await Promise.all([this.#endpoint.region(), this.#endpoint.credentials()]);
    const url = new URL(endpoint ?? `https://streams.dynamodb.${region}.${domainOf(region)}`);
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${TARGET}.${action}` };
    const unsigned = { method: "POST", url, headers, body };
    return send(url, {
      method: "POST",
      headers: await signedHeaders(unsigned, { service: "dynamodb", region, credentials, now: now() }),
      body,
      signal: AbortSignal.timeout(REQUEST_MILLIS),
    });
  }
}

function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

/** Errors of status 400 that a later attempt may not meet. */
const THROTTLES: ReadonlySet<string> = new Set(["LimitExceededException", "ThrottlingException"]);

const problem = v.looseObject({
  __type: v.optional(v.string(), ""),
  message: v.exactOptional(v.string()),
  Message: v.exactOptional(v.string()),
});

/** The error as the SDK would throw it. */
function errorIn(status: number, text: string): Error {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), problem), text);
  const { __type = "", message, Message } = read.success ? read.output : {};
  const error = new Error(message ?? Message ?? `DynamoDB Streams answered ${status}.`);
  error.name = __type.slice(__type.lastIndexOf("#") + 1) || "DynamoDBStreamsError";
  return Object.assign(error, { $metadata: { httpStatusCode: status } });
}

/** fetch wraps a connection's error in a TypeError with the message "fetch failed". */
function connectionError(cause: unknown): Error | undefined {
  return cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : undefined;
}
