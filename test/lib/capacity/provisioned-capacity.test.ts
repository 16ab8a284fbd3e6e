import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA, RUNS_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { LIVE, synthesise, type Synthesised } from "../synthesised.ts";

const provisioned = synthesise({ ...LIVE, capacity: "provisioned", peakJobsPerSecond: "600" });

function ofType({ resources }: Synthesised, type: string) {
  return [...resources.values()].filter((each) => each.type === type);
}

function targetOf(path: string, dimension: string) {
  const targets = ofType(provisioned, "AWS::ApplicationAutoScaling::ScalableTarget");
  const ofTable = targets.filter((each) => each.path.startsWith(`${path}/`));
  return ofTable.find(({ properties }) => properties["ScalableDimension"] === dimension)?.properties;
}

function tableIds({ resources }: Synthesised): readonly string[] {
  return [...resources].flatMap(([id, { type }]) => (type === "AWS::DynamoDB::Table" ? [id] : []));
}

describe("a stage with provisioned capacity", () => {
  it("has tables and indexes with the units of the average load", () => {
    const tables = ofType(provisioned, "AWS::DynamoDB::Table");
    expect(new Set(tables.map(({ properties }) => properties["BillingMode"]))).toEqual(new Set([undefined]));
    const [jobs] = tables.filter(({ path }) => path === "Projection/JobsA");
    expect(jobs?.properties["ProvisionedThroughput"]).toEqual({ WriteCapacityUnits: 323, ReadCapacityUnits: 600 });
    const indexes = jobs?.properties["GlobalSecondaryIndexes"] as readonly { ProvisionedThroughput: unknown }[];
    expect(indexes).toHaveLength(JOBS_SCHEMA.indexes.length);
    for (const index of indexes) expect(index.ProvisionedThroughput).toBeDefined();
  });

  it("scales each table and index by its use, at 60 %", () => {
    const policies = ofType(provisioned, "AWS::ApplicationAutoScaling::ScalingPolicy");
    const indexes = 2 * JOBS_SCHEMA.indexes.length + 2 * RUNS_SCHEMA.indexes.length;
    expect(policies).toHaveLength(2 * (6 + indexes));
    for (const { properties } of policies) {
      expect(properties["TargetTrackingScalingPolicyConfiguration"]).toMatchObject({ TargetValue: 60 });
    }
  });

  it("has the units of the peak before midnight, and lets them go a quarter of an hour after it", () => {
    expect(targetOf("Projection/JobsA", "dynamodb:table:WriteCapacityUnits")).toMatchObject({
      MinCapacity: 5,
      MaxCapacity: 4_308,
      ScheduledActions: [
        { Schedule: "cron(50 23 * * ? *)", ScalableTargetAction: { MinCapacity: 2_154 } },
        { Schedule: "cron(15 0 * * ? *)", ScalableTargetAction: { MinCapacity: 5 } },
      ],
    });
  });

  it("keeps the logical ids of its tables: the switch keeps the data", () => {
    expect(tableIds(provisioned)).toEqual(tableIds(synthesise(LIVE)));
  });

  it("is a setting", () => {
    expect(ofType(synthesise(LIVE), "AWS::ApplicationAutoScaling::ScalableTarget")).toEqual([]);
  });
});
