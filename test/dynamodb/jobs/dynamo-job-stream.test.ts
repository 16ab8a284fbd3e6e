import { describe, expect, it } from "vitest";
import { createDynamoJobStream } from "../../../src/dynamodb/jobs/dynamo-job-stream.ts";
import { type StreamPage, StreamTrimmedError } from "../../../src/ports/streams/job-stream.ts";

const STREAM = "arn:aws:dynamodb:eu-central-1:000000000000:table/Jobs/stream/2026-01-01T00:00:00.000";
const SHARD = { id: "shard-1", isClosed: false };

interface Sent {
  readonly action: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly authorization: string | null;
}

type Answer = { readonly status?: number; readonly body: unknown } | { readonly broken: Error };

/** A stream that gives these answers to its requests, in order. */
function streamOf(answers: readonly Answer[], endpoint?: string) {
  const sent: Sent[] = [];
  const stream = createDynamoJobStream({
    stream: STREAM,
    region: async () => "eu-central-1",
    credentials: async () => ({ accessKeyId: "id", secretAccessKey: "secret" }),
    endpoint,
    retry: { attempts: 3, pause: async () => {} },
    now: () => 0,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      sent.push({
        action: headers.get("x-amz-target") ?? "",
        body: JSON.parse(Buffer.from(init?.body as Uint8Array).toString()) as Sent["body"],
        url: url instanceof URL ? url.href : "",
        authorization: headers.get("authorization"),
      });
      const answer = answers[sent.length - 1] ?? { status: 500, body: {} };
      if ("broken" in answer) throw answer.broken;
      const { status = 200, body } = answer;
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
    },
  });
  return { stream, sent };
}

async function pagesOf(pages: AsyncGenerator<StreamPage, void>): Promise<readonly StreamPage[]> {
  const all: StreamPage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

const iterator = { body: { ShardIterator: "it" } };
function record(position: string, sk: string, images: object = {}) {
  const Keys = { pk: { S: "east#uid-1" }, sk: { S: sk } };
  return {
    eventName: "INSERT",
    dynamodb: { Keys, SequenceNumber: position, ApproximateCreationDateTime: 12, ...images },
  };
}
const state = { version: { N: "1" }, state: { B: "AQI=" } };

describe("the stream of a table of Jobs", () => {
  it("has all shards, over several pages, with what they continue and whether they are closed", async () => {
    const closed = { ShardId: "a", SequenceNumberRange: { StartingSequenceNumber: "1", EndingSequenceNumber: "9" } };
    const open = { ShardId: "b", ParentShardId: "a", SequenceNumberRange: { StartingSequenceNumber: "10" } };
    const { stream, sent } = streamOf([
      { body: { StreamDescription: { Shards: [closed], LastEvaluatedShardId: "a" } } },
      { body: { StreamDescription: { Shards: [open] } } },
    ]);
    expect(await stream.shards()).toEqual([
      { id: "a", isClosed: true },
      { id: "b", parent: "a", isClosed: false },
    ]);
    expect(sent.map(({ action, body }) => [action, body])).toEqual([
      ["DynamoDBStreams_20120810.DescribeStream", { StreamArn: STREAM }],
      ["DynamoDBStreams_20120810.DescribeStream", { StreamArn: STREAM, ExclusiveStartShardId: "a" }],
    ]);
  });

  it("is asked at AWS with a signature, or at an emulator", async () => {
    const described = { body: { StreamDescription: { Shards: [] } } };
    const aws = streamOf([described]);
    await aws.stream.shards();
    expect(aws.sent[0]?.url).toBe("https://streams.dynamodb.eu-central-1.amazonaws.com/");
    expect(aws.sent[0]?.authorization).toContain("/eu-central-1/dynamodb/aws4_request");
    const emulator = streamOf([described], "http://127.0.0.1:4566");
    await emulator.stream.shards();
    expect(emulator.sent[0]?.url).toBe("http://127.0.0.1:4566/");
  });

  it("has the writes of states with both images, and a position after everything else too", async () => {
    const { stream } = streamOf([
      iterator,
      {
        body: {
          Records: [record("5", "S", { OldImage: state, NewImage: state }), record("6", "P#00")],
          NextShardIterator: "it2",
        },
      },
      { body: { Records: [] } },
    ]);
    const job = { key: { cluster: "east", jobUid: "uid-1" }, position: "5", at: 12_000 };
    const bytes = Buffer.of(1, 2);
    expect(await pagesOf(stream.read(SHARD, undefined))).toEqual([
      { writes: [{ ...job, before: { bytes }, after: { bytes } }], position: "6", isClosed: false },
      { writes: [], isClosed: true },
    ]);
  });

  it("is read from the oldest write on, or after a position", async () => {
    const { stream, sent } = streamOf([iterator, { body: { Records: [] } }, iterator, { body: { Records: [] } }]);
    await pagesOf(stream.read(SHARD, undefined));
    await pagesOf(stream.read(SHARD, "7"));
    expect(sent.filter(({ action }) => action.endsWith("GetShardIterator")).map(({ body }) => body)).toEqual([
      { StreamArn: STREAM, ShardId: "shard-1", ShardIteratorType: "TRIM_HORIZON" },
      { StreamArn: STREAM, ShardId: "shard-1", ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: "7" },
    ]);
  });

  it("has no more for now after two empty pages; a closed shard is read to its end", async () => {
    const empty = { body: { Records: [], NextShardIterator: "it" } };
    const open = streamOf([iterator, empty, empty, empty]);
    expect(await pagesOf(open.stream.read(SHARD, undefined))).toHaveLength(2);
    const closed = streamOf([iterator, empty, empty, empty, { body: { Records: [] } }]);
    const pages = await pagesOf(closed.stream.read({ ...SHARD, isClosed: true }, undefined));
    expect(pages.map(({ isClosed }) => isClosed)).toEqual([false, false, false, true]);
  });

  it("reports writes that are no longer kept", async () => {
    const trimmed = { __type: "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException", message: "trimmed" };
    const { stream } = streamOf([{ status: 400, body: trimmed }]);
    await expect(pagesOf(stream.read(SHARD, "7"))).rejects.toThrow(StreamTrimmedError);
  });

  it.each([
    ["a throttled request", { status: 400, body: { __type: "x#LimitExceededException", message: "slow down" } }],
    ["a failure of DynamoDB", { status: 500, body: "<html>" }],
  ])("is asked again after %s", async (_, failed) => {
    const { stream, sent } = streamOf([failed, { body: { StreamDescription: { Shards: [] } } }]);
    expect(await stream.shards()).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  describe("whose connections break", () => {
    const closed = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
    const broken = { broken: new TypeError("fetch failed", { cause: closed }) };

    it("is asked again", async () => {
      const { stream, sent } = streamOf([broken, { body: { StreamDescription: {} } }]);
      expect(await stream.shards()).toEqual([]);
      expect(sent).toHaveLength(2);
    });

    it("cannot be reached after some attempts", async () => {
      const { stream, sent } = streamOf([broken, broken, broken]);
      await expect(stream.shards()).rejects.toThrow(`Stream ${STREAM} cannot be reached.`);
      expect(sent).toHaveLength(3);
    });

    it("is not asked again after an error of ours", async () => {
      const { stream, sent } = streamOf([{ broken: new RangeError("a bug") }, { body: {} }]);
      await expect(stream.shards()).rejects.toThrow("a bug");
      expect(sent).toHaveLength(1);
    });
  });

  it("is asked once where access is denied, and the error names it", async () => {
    const { stream, sent } = streamOf([{ status: 400, body: { __type: "x#AccessDeniedException", Message: "no" } }]);
    await expect(stream.shards()).rejects.toThrow(STREAM);
    expect(sent).toHaveLength(1);
  });
});
