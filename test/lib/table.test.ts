import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA, LOG_SCHEMA } from "../../src/deployment/tables.ts";
import { LIVE, synthesise } from "./synthesised.ts";

const tables = new Map(
  [...synthesise(LIVE).resources.values()]
    .filter(({ type }) => type === "AWS::DynamoDB::Table")
    .map(({ path, properties }) => [path, properties]),
);

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" },
    { AttributeName: range, KeyType: "RANGE" },
  ];
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

  it.each(["Projection/JobsA", "Projection/JobsB"])(
    "%s has the indexes of its schema, which project keys only",
    (path) => {
      expect(tables.get(path)?.["GlobalSecondaryIndexes"]).toEqual(
        JOBS_SCHEMA.indexes.map(({ name, partitionKey, sortKey }) => ({
          IndexName: name,
          KeySchema: keySchema(partitionKey, sortKey),
          Projection: { ProjectionType: "KEYS_ONLY" },
        })),
      );
    },
  );

  it("is the log, the records or one of the two projections", () => {
    expect([...tables.keys()].toSorted()).toEqual([
      "Log/Table",
      "Projection/JobsA",
      "Projection/JobsB",
      "Projection/Meta",
    ]);
  });
});
