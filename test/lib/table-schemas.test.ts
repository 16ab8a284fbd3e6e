import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, type TableSchema } from "../../src/dynamodb/table-schemas.ts";
import { LIVE, synthesise } from "./synthesised.ts";

const tables = new Map(
  [...synthesise(LIVE).resources.values()]
    .filter(({ type }) => type === "AWS::DynamoDB::Table")
    .map(({ path, properties }) => [path, properties]),
);

function keys(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" },
    { AttributeName: range, KeyType: "RANGE" },
  ];
}

/** A schema as CloudFormation writes it. */
function asDeployed({ partitionKey, sortKey, indexes, expiry, stream }: TableSchema) {
  return {
    KeySchema: keys(partitionKey, sortKey),
    TimeToLiveSpecification: { AttributeName: expiry, Enabled: true },
    ...(stream !== undefined && { StreamSpecification: { StreamViewType: stream } }),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keys(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: "KEYS_ONLY" },
      })),
    }),
  };
}

describe("a table that is deployed", () => {
  it.each([
    ["Log/Table", LOG_SCHEMA],
    ["Projection/JobsA", JOBS_SCHEMA],
    ["Projection/JobsB", JOBS_SCHEMA],
    ["Projection/Meta", META_SCHEMA],
  ])("%s has the keys, indexes, expiry and stream that its adapter counts on", (path, schema) => {
    expect(tables.get(path)).toMatchObject(asDeployed(schema));
    expect(tables.get(path)?.["GlobalSecondaryIndexes"] ?? []).toHaveLength(schema.indexes.length);
  });

  it("is one of these four", () => expect(tables.size).toBe(4));
});
