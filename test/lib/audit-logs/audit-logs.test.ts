import { describe, expect, it } from "vitest";
import { DELETIONS_PATTERN } from "../../../lib/audit-logs/deletions-pattern.ts";
import { statementsOf } from "../policy-evaluator.ts";
import { LIVE, type Synthesised, synthesise } from "../synthesised.ts";

const AUDITED = { ...LIVE, auditLogGroups: "eu=/aws/eks/eu/cluster,us=/aws/eks/us/cluster" };
const stack = synthesise(AUDITED);

function ofType({ resources }: Synthesised, type: string, below = "AuditLogs/") {
  return [...resources.values()].filter((resource) => resource.type === type && resource.path.startsWith(below));
}

function variablesOf(path: string) {
  const [lambda] = ofType(stack, "AWS::Lambda::Function", path);
  return lambda?.properties["Environment"] as { readonly Variables: Readonly<Record<string, unknown>> };
}

function needed({ outputs }: Synthesised): number {
  return Number(outputs["ConcurrencyNeeded"]);
}

describe("a stage with log groups", () => {
  it("has no part of it without them", () => {
    expect([...synthesise(LIVE).resources.values()].filter(({ path }) => path.startsWith("AuditLogs/"))).toEqual([]);
  });

  it("subscribes to each log group, to deletions only", () => {
    const filters = ofType(stack, "AWS::Logs::SubscriptionFilter").map(({ properties }) => properties);
    expect(filters.map(({ LogGroupName }) => LogGroupName)).toEqual(["/aws/eks/eu/cluster", "/aws/eks/us/cluster"]);
    expect(new Set(filters.map(({ FilterPattern }) => FilterPattern))).toEqual(new Set([DELETIONS_PATTERN]));
    expect(new Set(filters.map(({ RoleArn }) => RoleArn))).toEqual(new Set([undefined]));
  });

  it("is invoked by these log groups of this account only", () => {
    const permissions = ofType(stack, "AWS::Lambda::Permission").map(({ properties }) => properties);
    expect(permissions).toHaveLength(2);
    for (const permission of permissions) {
      expect(permission).toMatchObject({
        Action: "lambda:InvokeFunction",
        Principal: "logs.amazonaws.com",
        SourceAccount: { Ref: "AWS::AccountId" },
      });
      expect(JSON.stringify(permission["SourceArn"])).toMatch(/:log-group:\/aws\/eks\/(eu|us)\/cluster:\*/);
    }
  });

  it("keeps failed events in a queue, and repeats them for a day", () => {
    const [config] = ofType(stack, "AWS::Lambda::EventInvokeConfig");
    expect(config?.properties).toMatchObject({ Qualifier: "$LATEST", MaximumEventAgeInSeconds: 21_600 });
    expect(JSON.stringify(config?.properties["DestinationConfig"])).toContain("AuditLogsRetriesQueue");
    const [queue] = ofType(stack, "AWS::SQS::Queue", "AuditLogs/Retries/Queue");
    expect(queue?.properties).toMatchObject({ VisibilityTimeout: 900, RedrivePolicy: { maxReceiveCount: 96 } });
    expect(ofType(stack, "AWS::Lambda::EventSourceMapping")).toHaveLength(1);
  });

  it("may send to the queue of segments and of its retries, and nothing else", () => {
    const statements = statementsOf(stack, "AuditLogs/AuditLogs/Role");
    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(
      new Set([
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "sqs:SendMessage",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
      ]),
    );
  });

  it("admits the role of the function to ingest, by its unique id", () => {
    expect(variablesOf("In/Ingest/").Variables).toMatchObject({
      OUTLIVE_AUDIT_LOGS_PRINCIPAL: { "Fn::GetAtt": [expect.stringContaining("AuditLogs"), "RoleId"] },
      OUTLIVE_AUDIT_LOG_GROUPS: '{"/aws/eks/eu/cluster":"eu","/aws/eks/us/cluster":"us"}',
    });
    expect(variablesOf("AuditLogs/").Variables["OUTLIVE_AUDIT_LOG_GROUPS"]).toBe(
      '{"/aws/eks/eu/cluster":"eu","/aws/eks/us/cluster":"us"}',
    );
  });

  it("says that it needs more concurrency: one execution for each log group, and two for retries", () => {
    expect(needed(stack) - needed(synthesise(LIVE))).toBe(4);
  });
});
