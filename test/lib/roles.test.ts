import { describe, expect, it } from "vitest";
import { JOBS_SCHEMA, RUNS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import { type Statement, statementsOf } from "./policy-evaluator.ts";
import { LIVE, type Synthesised, synthesise } from "./synthesised.ts";

const stack = synthesise({ ...LIVE, archive: "true" });

/** The role with which API Gateway writes the logs of the whole account: AWS prescribes its policy. */
const GATEWAY_LOGS = "Http/Api/CloudWatchRole";

/** The role with which the state machine of the replay invokes its function. */
const REPLAY_MACHINE = "Replay/Machine/Role";

/** The role with which CodeDeploy shifts invocations to a new version. */
const CODE_DEPLOY = "Canary/Role";

/** The statements of each role as sentences. A role has no managed policies. */
function permissions(synthesised: Synthesised): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const { type, path, properties } of synthesised.resources.values()) {
    if (path === GATEWAY_LOGS || type !== "AWS::IAM::Role") continue;
    expect(properties["ManagedPolicyArns"], path).toBeUndefined();
    found[path] = statementsOf(synthesised, path).map(sentence);
  }
  return found;
}

function sentence({ Effect, Action, Resource, Condition }: Statement): string {
  const actions = [Action].flat().join(", ");
  const condition = Condition === undefined ? "" : ` if ${JSON.stringify(Condition)}`;
  return `${Effect} ${actions} on ${[Resource].flat().map(resourceName).join(", ")}${condition}`;
}

/** A resource of a statement by its construct path. */
function resourceName(resource: unknown): string {
  if (typeof resource === "string") return resource;
  const { "Fn::GetAtt": attribute, "Fn::Join": joined } = resource as {
    "Fn::GetAtt"?: readonly [string, string];
    "Fn::Join"?: readonly [string, readonly unknown[]];
  };
  if (attribute !== undefined) return `${nameOf(attribute[0])}${attribute[1] === "StreamArn" ? " (stream)" : ""}`;
  return joined === undefined ? JSON.stringify(resource) : joined[1].map(resourceName).join(joined[0]);
}

function nameOf(logicalId: string): string {
  return stack.resources.get(logicalId)?.path ?? logicalId;
}

describe("the roles of the stack", () => {
  it("have these permissions only", () => {
    expect(permissions(stack)).toMatchInlineSnapshot(`
      {
        "Archive/Archive/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Archive/Archive/Logs",
          "Allow dynamodb:GetItem, dynamodb:Query on Log/Table",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["position","late#*"]}}",
          "Allow s3:PutObject, s3:GetObject on Archive/Objects/Bucket/archive/*",
          "Allow s3:DeleteObject on Archive/Objects/Bucket/archive/jobs/*, Archive/Objects/Bucket/archive/runs/*, Archive/Objects/Bucket/archive/attempts/*, Archive/Objects/Bucket/archive/facts/*",
          "Allow s3:ListBucket on Archive/Objects/Bucket if {"StringLike":{"s3:prefix":"archive/*"}}",
        ],
        "Audit/Audit/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Audit/Audit/Logs",
          "Allow dynamodb:GetItem, dynamodb:Query on Log/Table",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["position"]}}",
          "Allow sqs:SendMessage on Projection/Refolds/Queue",
          "Allow s3:GetObject on Archive/Objects/Bucket/archive/*",
          "Allow s3:ListBucket on Archive/Objects/Bucket if {"StringLike":{"s3:prefix":"archive/*"}}",
        ],
        "Canary/Role": [
          "Allow lambda:GetAlias, lambda:UpdateAlias, lambda:GetProvisionedConcurrencyConfig on {"Ref":"QueryLiveFF8A46EF"}, {"Ref":"InIngestLive5AADB3AA"}",
          "Allow cloudwatch:DescribeAlarms on *",
        ],
        "Count/Count/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Count/Count/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["counts#*","countBatch#*","countShard#*","metrics#*","cronCounts#*","series#*","position"]}}",
          "Allow dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on Projection/JobsA (stream)",
          "Allow dynamodb:ListStreams on Projection/JobsA/stream/*",
          "Allow dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on Projection/JobsB (stream)",
          "Allow dynamodb:ListStreams on Projection/JobsB/stream/*",
          "Allow dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on Projection/RunsA (stream)",
          "Allow dynamodb:ListStreams on Projection/RunsA/stream/*",
          "Allow dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on Projection/RunsB (stream)",
          "Allow dynamodb:ListStreams on Projection/RunsB/stream/*",
        ],
        "In/Ingest/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on In/Ingest/Logs",
          "Allow dynamodb:PutItem on Log/Table",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["cluster","logDay","logHour","late#*","setAside#*","setAsideHour","erased","position"]}}",
          "Allow s3:PutObject, s3:GetObject on In/SetAside/Bucket/*",
          "Allow sqs:ReceiveMessage, sqs:DeleteMessage, sqs:GetQueueAttributes on In/Segments/Queue",
          "Allow sqs:ChangeMessageVisibility on In/Segments/Queue",
          "Allow sqs:ReceiveMessage, sqs:DeleteMessage, sqs:GetQueueAttributes on In/Segments/DeadLetters",
          "Allow ssm:GetParametersByPath on arn:{"Ref":"AWS::Partition"}:ssm:{"Ref":"AWS::Region"}:{"Ref":"AWS::AccountId"}:parameter/outlive/live/senders",
        ],
        "Projection/Project/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Projection/Project/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:PutItem on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:PutItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["node#*","cronjob#*","hints#*","gap","cluster","namespace","namespaceMarks","erased","position","waiting","changes#*"]}}",
          "Allow dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator on Log/Table (stream)",
          "Allow dynamodb:ListStreams on Log/Table/stream/*",
          "Allow s3:PutObject on Projection/GivenUp/Bucket/*",
          "Allow s3:ListBucket on Projection/GivenUp/Bucket",
          "Allow sqs:SendMessage on Projection/Refolds/Queue",
        ],
        "Projection/Refold/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Projection/Refold/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:PutItem on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:PutItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["node#*","cronjob#*","hints#*","gap","cluster","namespace","namespaceMarks","erased","position","waiting","changes#*"]}}",
          "Allow dynamodb:GetItem, dynamodb:Query on Log/Table",
          "Allow sqs:ReceiveMessage, sqs:DeleteMessage, sqs:GetQueueAttributes on Projection/Refolds/Queue",
          "Allow s3:GetObject on Archive/Objects/Bucket/archive/*",
          "Allow s3:ListBucket on Archive/Objects/Bucket if {"StringLike":{"s3:prefix":"archive/*"}}",
        ],
        "Query/Acknowledge/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Query/Acknowledge/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["acknowledgement"]}}",
        ],
        "Query/Page/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Query/Page/Logs",
        ],
        "Query/Query/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Query/Query/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:Query on Projection/RunsA/index/list, Projection/RunsA/index/name, Projection/RunsA/index/attention, Projection/RunsA/index/wide, Projection/RunsA/index/external, Projection/RunsB/index/list, Projection/RunsB/index/name, Projection/RunsB/index/attention, Projection/RunsB/index/wide, Projection/RunsB/index/external",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:GetItem, dynamodb:Query on Log/Table",
          "Allow s3:GetObject on Archive/Objects/Bucket/archive/*",
          "Allow s3:ListBucket on Archive/Objects/Bucket if {"StringLike":{"s3:prefix":"archive/*"}}",
        ],
        "Replay/Machine/Role": [
          "Allow lambda:InvokeFunction on Replay/Replay/Function, Replay/Replay/Function:*",
          "Allow states:StartExecution on {"Ref":"ReplayMachineFCABC833"}",
          "Allow states:DescribeExecution, states:StopExecution on arn:{"Ref":"AWS::Partition"}:states:{"Ref":"AWS::Region"}:{"Ref":"AWS::AccountId"}:execution:{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"ReplayMachineFCABC833"}]}]}:*",
          "Allow states:RedriveExecution on arn:{"Ref":"AWS::Partition"}:states:{"Ref":"AWS::Region"}:{"Ref":"AWS::AccountId"}:execution:{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"ReplayMachineFCABC833"}]}]}/Units:*",
        ],
        "Replay/Replay/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Replay/Replay/Logs",
          "Allow dynamodb:GetItem, dynamodb:Query on Log/Table",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:PutItem, dynamodb:Scan, dynamodb:DeleteItem on Projection/JobsA, Projection/JobsB, Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["node#*","cronjob#*","hints#*","gap","cluster","namespace","namespaceMarks","erased","position","waiting","live","logDay"]}}",
          "Allow s3:PutObject, s3:GetObject on Replay/PartialStates/Bucket/*",
          "Allow s3:ListBucket on Replay/PartialStates/Bucket",
          "Allow s3:GetObject on Archive/Objects/Bucket/archive/*",
          "Allow s3:ListBucket on Archive/Objects/Bucket if {"StringLike":{"s3:prefix":"archive/*"}}",
        ],
        "Retain/Retain/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Retain/Retain/Logs",
          "Allow dynamodb:DescribeTimeToLive, dynamodb:UpdateTimeToLive on Log/Table",
          "Allow dynamodb:DescribeTimeToLive, dynamodb:UpdateTimeToLive on Projection/JobsA, Projection/JobsB, Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/RunsA, Projection/RunsB",
          "Allow dynamodb:Query on Projection/RunsA/index/list, Projection/RunsA/index/name, Projection/RunsA/index/attention, Projection/RunsA/index/wide, Projection/RunsA/index/external, Projection/RunsB/index/list, Projection/RunsB/index/name, Projection/RunsB/index/attention, Projection/RunsB/index/wide, Projection/RunsB/index/external",
          "Allow dynamodb:UpdateItem on Projection/JobsA, Projection/JobsB, Projection/RunsA, Projection/RunsB if {"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","ttl","version","widePk"]},"StringEqualsIfExists":{"dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["position"]}}",
        ],
        "Sweep/Sweep/Role": [
          "Allow logs:CreateLogStream, logs:PutLogEvents on Sweep/Sweep/Logs",
          "Allow dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:Query on Projection/JobsA/index/list, Projection/JobsA/index/name, Projection/JobsA/index/attention, Projection/JobsA/index/wide, Projection/JobsB/index/list, Projection/JobsB/index/name, Projection/JobsB/index/attention, Projection/JobsB/index/wide",
          "Allow dynamodb:PutItem on Projection/JobsA, Projection/JobsB",
          "Allow dynamodb:GetItem, dynamodb:Query on Projection/Meta",
          "Deny dynamodb:GetItem, dynamodb:Query on Projection/Meta if {"ForAnyValue:StringLike":{"dynamodb:LeadingKeys":["setAside","setAside#*"]}}",
          "Allow dynamodb:PutItem on Projection/Meta if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["position"]}}",
        ],
      }
    `);
  });

  it("can be assumed by Lambda only", () => {
    const roles = [...stack.resources.values()].filter(
      ({ type, path }) => type === "AWS::IAM::Role" && ![GATEWAY_LOGS, CODE_DEPLOY, REPLAY_MACHINE].includes(path),
    );
    expect(roles).not.toEqual([]);
    for (const { properties } of roles) {
      expect(properties["AssumeRolePolicyDocument"]).toMatchObject({
        Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }],
      });
    }
  });

  it("never allow all resources or all actions of a service", () => {
    const statements = Object.values(permissions(stack)).flat();
    // Of the only function that a state machine invokes, the CDK permits each version.
    const invoked = "Allow lambda:InvokeFunction on Replay/Replay/Function, Replay/Replay/Function:*";
    const known = statements.filter((each) => !each.startsWith("Allow states:") && each !== invoked);
    // DescribeAlarms is one request for all alarms of a deployment.
    expect(known.filter((each) => / on \*|:\*/.test(each))).toEqual(["Allow cloudwatch:DescribeAlarms on *"]);
    // A Distributed Map describes and stops the executions of its own state machine.
    expect(
      statements
        .filter((each) => each.startsWith("Allow states:"))
        .every((each) => each.includes("ReplayMachine") || each.includes("Replay/Machine")),
    ).toBe(true);
  });
});

describe("the API", () => {
  it.each([
    ["Jobs", JOBS_SCHEMA],
    ["Runs", RUNS_SCHEMA],
  ])("may query each index of the tables of %s", (table, { indexes }) => {
    const [role] = Object.entries(permissions(stack)).filter(([path]) => path === "Query/Query/Role");
    const allowed = role?.[1]
      .filter((each) => each.startsWith("Allow dynamodb:Query on "))
      .join(", ")
      .split(", ");
    const needed = ["A", "B"].flatMap((name) =>
      indexes.map((index) => `Projection/${table}${name}/index/${index.name}`),
    );
    expect(allowed?.map((each) => each.replace(/^.* on /, ""))).toEqual(expect.arrayContaining(needed));
  });
});

describe("the log", () => {
  const changing = /dynamodb:(UpdateItem|DeleteItem|BatchWriteItem|PartiQL\w+|Scan)/;

  it("is written by ingest only", () => {
    const onLog = Object.entries(permissions(stack)).flatMap(([role, statements]) =>
      statements.filter((each) => each.endsWith(" on Log/Table")).map((each) => `${role}: ${each}`),
    );
    expect(onLog.filter((each) => each.includes("PutItem"))).toEqual([
      "In/Ingest/Role: Allow dynamodb:PutItem on Log/Table",
    ]);
    expect(onLog.filter((each) => changing.test(each))).toEqual([]);
  });

  it("denies every principal to change or delete an item, and to append unless it is the role of ingest", () => {
    const [ingestRole] = [...stack.resources].find(([, { path }]) => path === "In/Ingest/Role") ?? [];
    stack.template.hasResourceProperties("AWS::DynamoDB::Table", {
      StreamSpecification: { StreamViewType: "NEW_IMAGE" },
      ResourcePolicy: {
        PolicyDocument: {
          Statement: [
            {
              Effect: "Deny",
              Principal: { AWS: "*" },
              Action: [
                "dynamodb:UpdateItem",
                "dynamodb:DeleteItem",
                "dynamodb:BatchWriteItem",
                "dynamodb:PartiQLInsert",
                "dynamodb:PartiQLUpdate",
                "dynamodb:PartiQLDelete",
              ],
              Resource: "*",
            },
            {
              Effect: "Deny",
              Principal: { AWS: "*" },
              Action: "dynamodb:PutItem",
              Resource: "*",
              Condition: { ArnNotEquals: { "aws:PrincipalArn": [{ "Fn::GetAtt": [ingestRole, "Arn"] }] } },
            },
          ],
        },
      },
    });
  });
});
