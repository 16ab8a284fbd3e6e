import type { AttributeValue } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { onJobWrites, ShardUnknownError, type WindowedEvent } from "../../../functions/events/job-writes-event.ts";
import { gatherBatches } from "../../../src/count/gather-batches.ts";
import { fromJobState, stateKey } from "../../../src/adapters/dynamodb/jobs/job-item.ts";
import { EARLIEST } from "../../../src/job/model/instant.ts";
import { uniformRetention } from "../../../src/ports/expiry/job-expiry.ts";
import type { ProjectionName } from "../../../src/ports/projections.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { CountScene } from "../../support/stores/count-scene.ts";
import { listedJob, rowOf } from "../../support/story/listed-job.ts";

let scene: CountScene;
let told: FunctionJournal;
beforeEach(() => {
  scene = new CountScene();
  told = new FunctionJournal();
});

const arnOf = (table: string) => `arn:aws:dynamodb:eu-central-1:123456789012:table/${table}/stream/2026-01-01`;

/** What Lambda sends about a Job that was written. */
function record(position: string, table = "jobs-a", sk = "S"): WindowedEvent["Records"][0] {
  const key = CountScene.keyOf(listedJob());
  const { pk } = stateKey(key);
  const item = fromJobState(
    key,
    { bytes: Uint8Array.of(1), row: rowOf(listedJob()) },
    {
      version: 1,
      now: scene.now,
      retention: uniformRetention(400),
    },
  );
  const image = Object.fromEntries(
    Object.entries(item).map(([name, { S, N, B }]): readonly [string, AttributeValue] => {
      if (S !== undefined) return [name, { S }];
      return [name, N === undefined ? { B: Buffer.from(B ?? []).toString("base64") } : { N }];
    }),
  );
  return {
    eventSourceARN: arnOf(table),
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      SequenceNumber: position,
      ApproximateCreationDateTime: scene.now / 1_000,
      NewImage: image,
    },
  };
}

function deliver(event: WindowedEvent) {
  const { meta } = scene;
  const tables = { jobs: { A: "jobs-a", B: "jobs-b" }, runs: { A: "runs-a", B: "runs-b" } };
  return onJobWrites({ meta, tables, clock: { now: () => scene.now }, count: told.count }, event);
}

async function writesOf(projection: ProjectionName): Promise<number> {
  return (await gatherBatches({ meta: scene.meta, projection }, { since: EARLIEST })).differences.writes;
}

describe("an event about written Jobs", () => {
  it("is recorded once for its table and shard, and answered with a state", async () => {
    const event = { shardId: "s1", Records: [record("1"), record("2")] };
    expect(await deliver(event)).toEqual({ state: {} });
    await deliver(event);
    await deliver({ shardId: "s2", Records: [record("1")] });
    await deliver({ shardId: "s1", Records: [record("1", "jobs-b")] });
    expect([await writesOf("A"), await writesOf("B")]).toEqual([3, 1]);
    expect(told.counts).toMatchObject({ UncountedSeconds: 0 });
  });

  it("is recorded for the projection of a table of runs, beside a shard of Jobs of the same name", async () => {
    await deliver({ shardId: "s1", Records: [record("1")] });
    await deliver({ shardId: "s1", Records: [record("1", "runs-a")] });
    await deliver({ shardId: "s1", Records: [record("1", "runs-b")] });
    expect([await writesOf("A"), await writesOf("B")]).toEqual([2, 1]);
    const { differences } = await gatherBatches({ meta: scene.meta, projection: "B" }, { since: EARLIEST });
    expect(differences.hours()).toEqual([]);
  });

  it("fails without a shard: repeated writes could count twice", async () => {
    await expect(deliver({ Records: [record("1")] })).rejects.toThrow(ShardUnknownError);
    await expect(deliver({ Records: [record("1")] })).rejects.toThrow("TumblingWindowInSeconds");
    expect(await writesOf("A")).toBe(0);
  });

  it("is answered with a state at the end of a window, and for pages of large Jobs", async () => {
    expect(await deliver({ shardId: "s1", eventSourceARN: arnOf("jobs-a"), Records: [] })).toEqual({ state: {} });
    expect(await deliver({ shardId: "s1", Records: [record("1", "jobs-a", "P#00")] })).toEqual({ state: {} });
    expect(await writesOf("A")).toBe(0);
  });
});
