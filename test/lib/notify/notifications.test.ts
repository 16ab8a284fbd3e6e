import { fileURLToPath } from "node:url";
import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { isAllowed, statementsOf } from "../policy-evaluator.ts";
import { LIVE, RULES, RULES_SECRET, type Synthesised, synthesise } from "../synthesised.ts";

const NOTIFYING = { ...LIVE, rules: RULES, rulesSecret: RULES_SECRET };
const stack = synthesise(NOTIFYING);
const tracing = synthesise({
  ...LIVE,
  rules: fileURLToPath(new URL("../../support/notify/traces.yaml", import.meta.url)),
});
const RECEIVERS = ["hook", "chat", "pager", "bus", "other-bus", "topic", "mail"];

function ofType({ resources }: Synthesised, type: string) {
  return [...resources.values()].filter((resource) => resource.type === type && resource.path.startsWith("Notify/"));
}

/** The variables of the function that sends. */
function variablesOfDeliver(of: Synthesised): readonly string[] {
  const functions = ofType(of, "AWS::Lambda::Function").filter(({ path }) => path.includes("Deliver/"));
  const environments = functions.map(({ properties }) => properties["Environment"] as { readonly Variables: object });
  return environments.flatMap(({ Variables }) => Object.keys(Variables));
}

function needed({ outputs }: Synthesised): number {
  return Number(outputs["ConcurrencyNeeded"]);
}

/** What the role of a function of this name may do, as action and resource. */
function allowed(name: string): readonly (readonly [action: unknown, resource: unknown])[] {
  return statementsOf(stack, `Notify/${name}/Role`).map(({ Action, Resource }) => [Action, Resource] as const);
}

function resourceOf(name: string, action: string): unknown {
  return allowed(name).find(([actions]) => actions === action)?.[1];
}

describe("a stage with rules", () => {
  it("has no part of it without rules", () => {
    expect(ofType(synthesise(LIVE), "AWS::SQS::Queue")).toEqual([]);
    expect(ofType(synthesise(LIVE), "AWS::Lambda::Function")).toEqual([]);
  });

  it("has a queue for each receiver, which share one dead-letter queue", () => {
    const queues = ofType(stack, "AWS::SQS::Queue").map(({ path }) => path);
    expect(queues.filter((path) => path.endsWith("/Queue"))).toEqual(
      RECEIVERS.map((name) => `Notify/To-${name}/Queue`),
    );
    expect(queues.filter((path) => path.endsWith("/DeadLetters"))).toEqual(["Notify/To-hook/DeadLetters"]);
    stack.template.hasResourceProperties("AWS::SQS::Queue", { RedrivePolicy: { maxReceiveCount: 1_000 } });
  });

  it("bounds what one receiver takes of the function that sends to all of them", () => {
    const mappings = ofType(stack, "AWS::Lambda::EventSourceMapping").filter(({ path }) => path.includes("/To-"));
    expect(mappings).toHaveLength(RECEIVERS.length);
    expect(new Set(mappings.map(({ properties }) => JSON.stringify(properties["ScalingConfig"])))).toEqual(
      new Set(['{"MaximumConcurrency":2}']),
    );
    const waiting = mappings.filter(({ properties }) => properties["MaximumBatchingWindowInSeconds"] !== undefined);
    expect(waiting.map(({ path }) => path)).toEqual(["Notify/To-chat/Mapping"]);
  });

  it.each(["JobsA", "JobsB", "RunsA", "RunsB"])("reads the current row of what a stream of %s names", (name) => {
    const request = { action: "dynamodb:GetItem", table: `Projection/${name}`, partition: "east#train-uid" };
    expect(isAllowed(stack, "Notify/Notify/Role", request)).toBe(true);
  });

  it("reads rows of Jobs and runs in both projections, from the deployment on", () => {
    const mappings = ofType(stack, "AWS::Lambda::EventSourceMapping").filter(({ path }) => path.endsWith("Stream"));
    expect(mappings.map(({ path }) => path)).toEqual([
      "Notify/JobsAStream",
      "Notify/JobsBStream",
      "Notify/RunsAStream",
      "Notify/RunsBStream",
    ]);
    for (const { properties } of mappings) {
      expect(properties).toMatchObject({ StartingPosition: "LATEST", BisectBatchOnFunctionError: true });
      expect(properties["MaximumBatchingWindowInSeconds"]).toBe(2);
      const { Filters } = properties["FilterCriteria"] as { readonly Filters: readonly { readonly Pattern: string }[] };
      expect(Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown)).toEqual([
        { eventName: ["INSERT", "MODIFY"], dynamodb: { Keys: { sk: { S: ["S"] } } } },
      ]);
    }
    stack.template.hasResourceProperties("AWS::DynamoDB::Table", {
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
  });

  it("may send to the buses and topics of the rule file only, and read its secret", () => {
    const partition = { Ref: "AWS::Partition" };
    const [region, account] = [{ Ref: "AWS::Region" }, { Ref: "AWS::AccountId" }];
    expect(resourceOf("Deliver", "events:PutEvents")).toEqual([
      { "Fn::Join": ["", ["arn:", partition, ":events:", region, ":", account, ":event-bus/batch"]] },
      "arn:aws:events:eu-central-1:123456789012:event-bus/other",
    ]);
    expect(resourceOf("Deliver", "sns:Publish")).toBe("arn:aws:sns:eu-central-1:123456789012:batch");
    expect(resourceOf("Deliver", "secretsmanager:GetSecretValue")).toBe(RULES_SECRET);
    expect(allowed("Deliver").flatMap(([actions]) => [actions].flat())).not.toContain("dynamodb:BatchGetItem");
  });

  it("lets only the function that sends read secrets, and that one no Job", () => {
    const actions = allowed("Notify").flatMap(([some]) => [some].flat());
    expect(actions).not.toContain("secretsmanager:GetSecretValue");
    expect(actions).not.toContain("events:PutEvents");
    expect(actions).toContain("dynamodb:GetRecords");
  });

  it.each(["JobsA", "JobsB", "RunsA", "RunsB"])("reads %s when it sends traces, and only then", (name) => {
    const item = { table: `Projection/${name}`, partition: "east#train-uid" };
    const read = { action: "dynamodb:GetItem", ...item };
    expect(isAllowed(tracing, "Notify/Deliver/Role", read)).toBe(true);
    expect(isAllowed(tracing, "Notify/Deliver/Role", { action: "dynamodb:PutItem", ...item })).toBe(false);
    expect(isAllowed(stack, "Notify/Deliver/Role", read)).toBe(false);
  });

  it("names the tables to the function that sends if it sends traces", () => {
    const tables = ["OUTLIVE_JOBS_TABLE_A", "OUTLIVE_RUNS_TABLE_B", "OUTLIVE_LOG_TABLE"];
    expect(variablesOfDeliver(tracing)).toEqual(expect.arrayContaining(tables));
    expect(variablesOfDeliver(stack).filter((name) => tables.includes(name))).toEqual([]);
  });

  it("has no secret in its template, only its name", () => {
    stack.template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: { OUTLIVE_RULES_SECRET: RULES_SECRET, OUTLIVE_RULES_FILE: "rules.json" } },
    });
    expect(JSON.stringify(stack.template.toJSON())).not.toMatch(/HOOK_SECRET|SLACK_URL|PD_KEY|receiver\.invalid/);
  });

  it("checks CronJobs and clusters every five minutes", () => {
    const [rule] = ofType(stack, "AWS::Events::Rule");
    expect(rule?.properties["ScheduleExpression"]).toBe("rate(5 minutes)");
  });

  it("says that it needs more concurrency", () => {
    // Four shards of each of both streams, the schedule, and two batches of each receiver.
    expect(needed(stack) - needed(synthesise(LIVE))).toBe(8 + 1 + 14);
  });

  it("notifies of failed notifications, too: with alarms", () => {
    const metrics = ["DeadNotifications", "UnnotifiedChanges"].map((MetricName) =>
      Match.objectLike({ MetricStat: Match.objectLike({ Metric: Match.objectLike({ MetricName }) }) }),
    );
    stack.template.hasResourceProperties("AWS::CloudWatch::Alarm", {
      AlarmDescription: Match.stringLikeRegexp("given up"),
      Metrics: Match.arrayWith(metrics),
    });
  });
});
