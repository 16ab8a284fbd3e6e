import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import {
  concurrencyOf,
  projectConcurrency,
  readCapacity,
  reservedOf,
} from "../../../lib/capacity/capacity-settings.ts";
import { InvalidSettingsError } from "../../../lib/context-values.ts";
import { JOBS_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { LIVE, synthesise } from "../synthesised.ts";

function read(context: Readonly<Record<string, unknown>>) {
  return readCapacity((name) => context[name]);
}

const RESERVED = { reserveConcurrency: "true", accountConcurrency: "1000" };

describe("the capacity of a stage", () => {
  it("is that of a new account by default, and reserves nothing", () => {
    expect(read({})).toEqual({
      peakJobsPerSecond: 300,
      capacity: "onDemand",
      accountConcurrency: 10,
      reserveConcurrency: false,
      ingestConcurrency: 10,
      projectLanes: 10,
      logShards: 4,
      packShards: 4,
      ingestBatchSeconds: 1,
      refoldConcurrency: 2,
      replayConcurrency: 2,
      queryConcurrency: 40,
    });
  });

  it("needs what all functions use at the same time: each lane of each shard is one execution", () => {
    const capacity = read({});
    expect(projectConcurrency(capacity)).toBe(40);
    expect(reservedOf(capacity)).toBe(10 + 10 + 40 + 2 + 40 + 2 + 5 + 3);
    expect(concurrencyOf(capacity)).toBe(reservedOf(capacity) + 6 + 2 * capacity.logShards);
  });

  it("follows from the peak, and each setting can be set by itself", () => {
    expect(read({ peakJobsPerSecond: "2350" })).toMatchObject({ warmWriteUnits: 16_000, logShards: 16, packShards: 8 });
    const set = { warmWriteUnits: 20_000, logShards: 30, packShards: 9, ingestConcurrency: 50, queryConcurrency: 60 };
    expect(read({ peakJobsPerSecond: 2_350, ...set })).toMatchObject(set);
  });

  it.each([
    ["a peak that no stage carries", { peakJobsPerSecond: 6_001 }, /from 1 to 6000/],
    ["a reservation in an account whose quota is unknown", { reserveConcurrency: true }, /accountConcurrency is 10/],
    [
      "a reservation that leaves less than 100 executions unreserved",
      { reserveConcurrency: true, accountConcurrency: 211 },
      /need 212 concurrent executions .*project 4 shards x 10 lanes/,
    ],
    ["less concurrency than SQS mappings accept", { ingestConcurrency: 1 }, /from 2 to 1000/],
    ["more lanes than a shard can have", { projectLanes: 11 }, /from 1 to 10/],
    ["an unknown way to bill tables", { capacity: "reserved" }, /onDemand or provisioned/],
    ["less warm throughput than a new table has", { warmWriteUnits: 1000 }, /from 4000 to 40000/],
  ])("rejects %s", (_, context, message) => {
    expect(() => read(context)).toThrow(InvalidSettingsError);
    expect(() => read(context)).toThrow(message);
  });

  it("accepts a reservation that leaves exactly 100", () => {
    expect(read({ reserveConcurrency: true, accountConcurrency: 212 }).reserveConcurrency).toBe(true);
  });
});

describe("a stage with reserved concurrency", () => {
  const { resources } = synthesise({ ...LIVE, ...RESERVED, ingestConcurrency: "30", refoldConcurrency: "4" });
  const functions = [...resources.values()].filter(({ type }) => type === "AWS::Lambda::Function");
  const mappings = [...resources.values()].filter(({ type }) => type === "AWS::Lambda::EventSourceMapping");

  it("bounds each function and protects it from the others; scheduled ones share the rest", () => {
    const reserved = functions.map(({ path, properties }) => [
      path.split("/").at(-2),
      properties["ReservedConcurrentExecutions"],
    ]);
    expect(Object.fromEntries(reserved)).toEqual({
      Ingest: 40,
      Project: 40,
      Refold: 4,
      Query: 40,
      Acknowledge: 2,
      Page: 5,
      Replay: 3,
      Sweep: undefined,
      Audit: undefined,
    });
  });

  it("has queues that start no more batches than are reserved", () => {
    const concurrency = mappings.flatMap(({ path, properties }) => {
      const { ScalingConfig } = properties as { ScalingConfig?: { MaximumConcurrency: number } };
      return ScalingConfig === undefined ? [] : [[path.split("/").at(1), ScalingConfig.MaximumConcurrency]];
    });
    expect(Object.fromEntries(concurrency)).toEqual({ Segments: 30, Redrive: 10, Refolds: 4 });
  });
});

describe("a stage with warm throughput", () => {
  it("has it on every table and index", () => {
    const { template } = synthesise({ ...LIVE, warmWriteUnits: "8000" });
    const warm = { WarmThroughput: { WriteUnitsPerSecond: 8000 } };
    template.allResourcesProperties("AWS::DynamoDB::Table", warm);
    template.hasResourceProperties("AWS::DynamoDB::Table", {
      GlobalSecondaryIndexes: JOBS_SCHEMA.indexes.map(({ name }) => Match.objectLike({ IndexName: name, ...warm })),
    });
  });
});
