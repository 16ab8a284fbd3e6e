import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA, RUNS_SCHEMA, LOG_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { LIVE, synthesise, TRIAL } from "../synthesised.ts";

const tables = tablesOf(LIVE);

function tablesOf(context: Readonly<Record<string, string>>) {
  return new Map(
    [...synthesise(context).resources.values()]
      .filter(({ type }) => type === "AWS::DynamoDB::Table")
      .map(({ path, properties }) => [path, properties]),
  );
}

function withValue(context: Readonly<Record<string, string>>, name: string, wanted: unknown) {
  return [...tablesOf(context)].flatMap(([path, properties]) => {
    return JSON.stringify(properties[name]) === JSON.stringify(wanted) ? [path] : [];
  });
}

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" },
    { AttributeName: range, KeyType: "RANGE" },
  ];
}

function backedUp(context: Readonly<Record<string, string>>): readonly string[] {
  return withValue(context, "PointInTimeRecoverySpecification", { PointInTimeRecoveryEnabled: true }).toSorted();
}

function infrequent(context: Readonly<Record<string, string>>): readonly string[] {
  return withValue(context, "TableClass", "STANDARD_INFREQUENT_ACCESS").toSorted();
}

describe("a deployed table", () => {
  it("has the keys, expiry and stream of its schema", () => {
    const { partitionKey, sortKey, expiry, stream } = LOG_SCHEMA;
    expect(tables.get("Log/Table")).toMatchObject({
      KeySchema: keySchema(partitionKey, sortKey),
      TimeToLiveSpecification: { AttributeName: expiry, Enabled: true },
      StreamSpecification: { StreamViewType: stream },
    });
  });

  it.each([
    ["Projection/JobsA", JOBS_SCHEMA],
    ["Projection/JobsB", JOBS_SCHEMA],
    ["Projection/RunsA", RUNS_SCHEMA],
    ["Projection/RunsB", RUNS_SCHEMA],
  ])("%s has the indexes of its schema, which project keys only", (path, { indexes }) => {
    expect(tables.get(path)?.["GlobalSecondaryIndexes"]).toEqual(
      indexes.map(({ name, partitionKey, sortKey }) => ({
        IndexName: name,
        KeySchema: keySchema(partitionKey, sortKey),
        Projection: { ProjectionType: "KEYS_ONLY" },
      })),
    );
  });

  it("is the log, the records or one of the two projections", () => {
    expect([...tables.keys()].toSorted()).toEqual([
      "Log/Table",
      "Projection/JobsA",
      "Projection/JobsB",
      "Projection/Meta",
      "Projection/RunsA",
      "Projection/RunsB",
    ]);
  });

  it("of Jobs or runs has a stream, with the row before each write", () => {
    for (const path of ["Projection/JobsA", "Projection/RunsA"]) {
      const stream = { StreamViewType: "NEW_AND_OLD_IMAGES" };
      expect(tables.get(path)).toMatchObject({ StreamSpecification: stream });
    }
    expect(tables.get("Projection/Meta")).not.toHaveProperty("StreamSpecification");
  });
});

describe("the tables that can be restored to a point in time", () => {
  it("are the log and the records, from which all Jobs and runs follow", () => {
    expect(backedUp(LIVE)).toEqual(["Log/Table", "Projection/Meta"]);
  });

  it("are all of them with backupJobs", () => {
    expect(backedUp({ ...LIVE, backupJobs: "true" })).toHaveLength(6);
  });

  it("are none on a disposable stage", () => {
    expect(backedUp(TRIAL)).toEqual([]);
  });
});

describe("the tables of the class Standard-IA", () => {
  it.each([
    ["if data is kept for half a year", { retentionDays: "180" }],
    ["if the setting says so", { retentionDays: "30", tableClass: "infrequent" }],
  ])("are the log and the tables of Jobs and runs, %s", (_, settings) => {
    expect(infrequent({ ...LIVE, ...settings })).toEqual([
      "Log/Table",
      "Projection/JobsA",
      "Projection/JobsB",
      "Projection/RunsA",
      "Projection/RunsB",
    ]);
  });

  it.each([
    ["if data is kept for less than half a year", { retentionDays: "179" }],
    ["if the setting says so", { tableClass: "standard" }],
  ])("are none %s", (_, settings) => {
    expect(infrequent({ ...LIVE, ...settings })).toEqual([]);
  });
});
