import { Stack, Validations } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { Key } from "aws-cdk-lib/aws-kms";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, it } from "vitest";
import { signInOf } from "../../functions/lambda/sign-in.ts";
import { StageStack } from "../../bin/stage-stack.ts";
import { Outlive } from "../../lib/outlive.ts";
import { BUCKET_DAYS } from "../../src/ports/deployment/retention.ts";
import { readFunctionSettings } from "../../src/ports/deployment/settings/function-settings.ts";
import { LIVE, PAGE_CLIENT, RULES, RULES_SECRET, synthesise, TRIAL, unbundled } from "./synthesised.ts";
import { JOB_METRICS } from "../../src/count/metrics/sums/job-figures.ts";

const HOLDS_DATA = /^AWS::(DynamoDB::Table|S3::Bucket|SQS::Queue|KMS::Key)$/;
const live = synthesise(LIVE);

function dataIn({ resources }: ReturnType<typeof synthesise>) {
  return [...resources].filter(([, { type }]) => HOLDS_DATA.test(type));
}

describe("a stage with retained data", () => {
  it("retains every table, queue and bucket when the stack is deleted", () => {
    expect(new Set(dataIn(live).map(([, { deletionPolicy }]) => deletionPolicy))).toEqual(new Set(["Retain"]));
  });

  it("has tables with deletion protection", () => {
    live.template.allResourcesProperties("AWS::DynamoDB::Table", {
      DeletionProtectionEnabled: true,
      BillingMode: "PAY_PER_REQUEST",
    });
  });

  it("keeps the logical ids of its data, because a new id creates an empty resource", () => {
    expect(dataIn(live).map(([id, { path }]) => `${path}: ${id}`)).toMatchInlineSnapshot(`
      [
        "Log/Table: LogTable81E80B89",
        "Projection/JobsA: ProjectionJobsA3778E188",
        "Projection/JobsB: ProjectionJobsBA45A5727",
        "Projection/RunsA: ProjectionRunsA7C464FD5",
        "Projection/RunsB: ProjectionRunsB337AF46C",
        "Projection/Meta: ProjectionMeta4D038B7A",
        "Projection/Refolds/DeadLetters: ProjectionRefoldsDeadLettersB0181210",
        "Projection/Refolds/Queue: ProjectionRefoldsQueue246C55EA",
        "Projection/GivenUp/Bucket: ProjectionGivenUpBucket905479F2",
        "In/Segments/DeadLetters: InSegmentsDeadLetters9DE09DD2",
        "In/Segments/Queue: InSegmentsQueueC10E946E",
        "In/SetAside/Bucket: InSetAsideBucket4193F54B",
        "Replay/PartialStates/Bucket: ReplayPartialStatesBucket8F34648D",
      ]
    `);
  });

  it("keeps the logical ids of the data of optional parts", () => {
    const optional = synthesise({
      ...LIVE,
      archive: "true",
      encryption: "customer",
      rules: RULES,
      rulesSecret: RULES_SECRET,
      auditLogGroups: "eu=/aws/eks/eu/cluster",
    });
    const known = new Set(dataIn(live).map(([id]) => id));
    const ids = dataIn(optional).map(([id]) => id);
    expect(ids.filter((id) => known.has(id))).toHaveLength(known.size);
    expect(ids.filter((id) => !known.has(id))).toMatchInlineSnapshot(`
      [
        "Key961B73FD",
        "AuditLogsRetriesDeadLetters420F6A89",
        "AuditLogsRetriesQueue361C2A33",
        "ArchiveObjectsBucket943E583B",
        "ArchiveTablesResultsBucket281D9E9F",
        "NotifyTohookDeadLettersEE590679",
        "NotifyTohookQueueDF10BC2E",
        "NotifyTochatQueue5ADF5D81",
        "NotifyTopagerQueue6A11F026",
        "NotifyTobusQueueCDB754E8",
        "NotifyTootherbusQueue3E6B014E",
        "NotifyTotopicQueue47321622",
        "NotifyTomailQueue5629CF61",
      ]
    `);
  });

  it("keeps large set-aside messages as long as a redrive expects them", () => {
    const [, bucket] = [...live.resources].find(([, { path }]) => path === "In/SetAside/Bucket") ?? [];
    expect(bucket?.properties["LifecycleConfiguration"]).toMatchObject({
      Rules: [{ ExpirationInDays: BUCKET_DAYS }],
    });
  });

  it("shows the metrics of Jobs that the functions publish on its dashboard", () => {
    const dashboards = [...live.resources.values()].filter(({ type }) => type === "AWS::CloudWatch::Dashboard");
    const body = JSON.stringify(dashboards);
    for (const name of JOB_METRICS.filter((each) => each !== "JobSeconds")) expect(body).toContain(name);
  });

  it("has these resources", () => {
    const counts: Record<string, number> = {};
    for (const { type } of live.resources.values()) counts[type] = (counts[type] ?? 0) + 1;
    expect(counts).toMatchInlineSnapshot(`
      {
        "AWS::ApiGateway::Account": 1,
        "AWS::ApiGateway::Deployment": 1,
        "AWS::ApiGateway::Method": 15,
        "AWS::ApiGateway::Resource": 15,
        "AWS::ApiGateway::RestApi": 1,
        "AWS::ApiGateway::Stage": 1,
        "AWS::CloudWatch::Alarm": 13,
        "AWS::CloudWatch::Dashboard": 1,
        "AWS::CodeDeploy::Application": 1,
        "AWS::CodeDeploy::DeploymentGroup": 2,
        "AWS::DynamoDB::Table": 6,
        "AWS::Events::Rule": 3,
        "AWS::IAM::Policy": 3,
        "AWS::IAM::Role": 13,
        "AWS::Lambda::Alias": 5,
        "AWS::Lambda::EventSourceMapping": 8,
        "AWS::Lambda::Function": 10,
        "AWS::Lambda::Permission": 6,
        "AWS::Lambda::Version": 5,
        "AWS::Logs::LogGroup": 11,
        "AWS::S3::Bucket": 3,
        "AWS::S3::BucketPolicy": 3,
        "AWS::SQS::Queue": 4,
        "AWS::SQS::QueuePolicy": 4,
        "AWS::SSM::Parameter": 1,
        "AWS::StepFunctions::StateMachine": 1,
      }
    `);
  });

  it("has its stage as a tag", () => {
    live.template.allResourcesProperties("AWS::Lambda::Function", {
      Tags: Match.arrayWith([{ Key: "outlive:stage", Value: "live" }]),
    });
  });

  it("encrypts with a rotated key of the account if so configured", () => {
    const { template, outputs } = synthesise({ ...LIVE, encryption: "customer" });
    template.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    template.allResourcesProperties("AWS::DynamoDB::Table", { SSESpecification: { SSEType: "KMS" } });
    template.allResourcesProperties("AWS::SQS::Queue", { KmsMasterKeyId: Match.anyValue() });
    expect(outputs["KeyArn"]).toBe("<...>");
    expect(live.outputs["KeyArn"]).toBeUndefined();
  });

  it("lets the exporters of other accounts encrypt with this key, through the queue only", () => {
    const arn = "arn:aws:iam::123456789012:role/exporter";
    const { template } = synthesise({ ...LIVE, encryption: "customer", senderArns: arn });
    template.hasResourceProperties("AWS::KMS::Key", {
      KeyPolicy: {
        Statement: Match.arrayWith([
          {
            Effect: "Allow",
            Principal: { AWS: arn },
            Action: ["kms:GenerateDataKey", "kms:Decrypt"],
            Resource: "*",
            Condition: {
              StringEquals: {
                "kms:ViaService": { "Fn::Join": ["", ["sqs.", { Ref: "AWS::Region" }, ".amazonaws.com"]] },
              },
            },
          },
        ]),
      },
    });
  });

  it("lets the policies of this account grant the key, so that its own exporters can encrypt", () => {
    synthesise({ ...LIVE, encryption: "customer" }).template.hasResourceProperties("AWS::KMS::Key", {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Allow", Action: "kms:*", Principal: { AWS: Match.anyValue() } }),
        ]),
      },
    });
  });
});

describe("a disposable stage", () => {
  const trial = synthesise(TRIAL);

  it("deletes its data with the stack", () => {
    expect(new Set(dataIn(trial).map(([, { deletionPolicy }]) => deletionPolicy))).toEqual(new Set(["Delete"]));
    trial.template.allResourcesProperties("AWS::DynamoDB::Table", { DeletionProtectionEnabled: false });
  });
});

describe("the functions", () => {
  it("run Node 24 on arm64", () => {
    live.template.allResourcesProperties("AWS::Lambda::Function", { Runtime: "nodejs24.x", Architectures: ["arm64"] });
  });
});

describe("the mapping of the log's stream", () => {
  it("reads ten lanes, bisects a batch that throws, and keeps failed records before they expire", () => {
    live.template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      MaximumRetryAttempts: 10_000,
      MaximumRecordAgeInSeconds: 72_000,
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it("does not deliver the deletions of expired items, and does deliver every other change", () => {
    live.template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      FilterCriteria: {
        Filters: [
          { Pattern: '{"eventName":["INSERT","MODIFY"]}' },
          { Pattern: '{"eventName":["REMOVE"],"userIdentity":{"principalId":[{"exists":false}]}}' },
          {
            Pattern:
              '{"eventName":["REMOVE"],"userIdentity":{"principalId":[{"anything-but":["dynamodb.amazonaws.com"]}]}}',
          },
        ],
      },
    });
  });

  it("reads as many lanes as configured", () => {
    synthesise({ ...LIVE, projectLanes: "4" }).template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      ParallelizationFactor: 4,
    });
  });

  it("uses one lane if the stage collects segments", () => {
    synthesise({ ...LIVE, foldSeconds: "2" }).template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      MaximumBatchingWindowInSeconds: 2,
      ParallelizationFactor: 1,
    });
  });
});

describe("the streams of the tables of Jobs and runs", () => {
  it("are delivered with their shards, from the beginning, and without skipping what fails", () => {
    const mappings = [...live.resources.values()].filter(({ properties }) => "TumblingWindowInSeconds" in properties);
    expect(mappings).toHaveLength(4);
    for (const { properties } of mappings) {
      expect(properties).toMatchObject({ StartingPosition: "TRIM_HORIZON", MaximumBatchingWindowInSeconds: 60 });
      expect(properties).not.toHaveProperty("MaximumRetryAttempts");
      expect(properties).not.toHaveProperty("MaximumRecordAgeInSeconds");
    }
  });
});

describe("a queue", () => {
  it("delivers batches whose responses name the failed messages", () => {
    const mappings = [...live.resources.values()].filter(
      ({ type, properties }) =>
        type === "AWS::Lambda::EventSourceMapping" && properties["TumblingWindowInSeconds"] === undefined,
    );
    expect(new Set(mappings.map(({ properties }) => String(properties["FunctionResponseTypes"])))).toEqual(
      new Set(["ReportBatchItemFailures"]),
    );
  });

  it("delivers a segment 1,000 times before it gives up: an outage of days leaves nothing in the dead letters", () => {
    const receives = [...live.resources.values()].flatMap(({ path, properties }) => {
      const { RedrivePolicy } = properties as { RedrivePolicy?: { maxReceiveCount: number } };
      return RedrivePolicy === undefined ? [] : [[path.split("/").at(-2), RedrivePolicy.maxReceiveCount]];
    });
    expect(Object.fromEntries(receives)).toEqual({ Segments: 1_000, Refolds: 50 });
  });

  it("keeps messages for 14 days and denies unencrypted transport", () => {
    live.template.allResourcesProperties("AWS::SQS::Queue", { MessageRetentionPeriod: 1_209_600 });
    live.template.allResourcesProperties("AWS::SQS::QueuePolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        ]),
      },
    });
  });

  it("accepts segments from the configured principals of other accounts only", () => {
    const arn = "arn:aws:iam::123456789012:role/exporter";
    synthesise({ ...LIVE, senderArns: arn }).template.hasResourceProperties("AWS::SQS::QueuePolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Allow", Principal: { AWS: arn }, Action: Match.arrayWith(["sqs:SendMessage"]) }),
        ]),
      },
    });
  });
});

describe("the page", () => {
  it.each([
    ["a pasted token", LIVE, { kind: "token" }],
    [
      "the issuer, with the endpoints of its discovery document",
      { ...LIVE, ...PAGE_CLIENT },
      {
        kind: "oidc",
        clientId: "outlive-page",
        issuer: "https://login.example.org",
        authorizationEndpoint: "https://login.example.org/authorize",
        tokenEndpoint: "https://login.example.org/token",
        scope: "openid",
        tokenToSend: "access_token",
      },
    ],
    [
      "the issuer, with the configured scopes and token",
      { ...LIVE, ...PAGE_CLIENT, pageScope: "openid email", pageToken: "id_token" },
      expect.objectContaining({ scope: "openid email", tokenToSend: "id_token" }),
    ],
    ["nothing in open mode", TRIAL, { kind: "none" }],
  ])("asks its readers for %s: its function reads the variables of the stack", (_, context, signIn) => {
    expect(signInOf(readFunctionSettings("page", pageVariables(synthesise(context))))).toEqual(signIn);
  });
});

/** They are all known at synthesis. */
function pageVariables({ resources }: ReturnType<typeof synthesise>): Readonly<Record<string, string>> {
  const [properties] = [...resources.values()].flatMap(({ path, properties }) =>
    path === "Query/Page/Function" ? [properties] : [],
  );
  const environment = properties?.["Environment"] as
    | { readonly Variables: Readonly<Record<string, string>> }
    | undefined;
  return environment?.Variables ?? {};
}

describe("the construct", () => {
  const account = { env: { account: "123456789012", region: "eu-central-1" } };

  it("passes cdk-nag in a stack of a known account and region too", () => {
    const app = unbundled();
    const stack = new Stack(app, "Known", account);
    stack.node.addMetadata("outlive", new Outlive(stack, "Outlive").stage);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });

  it("can be in a stack several times, as other stages", () => {
    const stack = new Stack(unbundled(), "Two", account);
    expect([new Outlive(stack, "One"), new Outlive(stack, "Two", { stage: "test" })]).toHaveLength(2);
    expect(() => new Outlive(stack, "Three", { stage: "test" })).toThrow("Stage test is in this stack twice");
  });

  it("warns of a key whose policy is not the app's", () => {
    const stack = new Stack(unbundled(), "Keys", account);
    const encryptionKey = Key.fromKeyArn(stack, "Key", "arn:aws:kms:eu-central-1:123456789012:key/abc");
    expect(new Outlive(stack, "Outlive", { encryptionKey }).stage).toBe("live");
    Annotations.fromStack(stack).hasWarning("*", Match.stringLikeRegexp("must let CloudWatch Logs"));
  });
});

describe("cdk-nag", () => {
  it.each([
    ["a stage with retained data", LIVE],
    ["a disposable stage", TRIAL],
    [
      "a stage with its own key, IAM readers, an API key, alarm notifications and backups",
      { iamAccess: "true", encryption: "customer", apiKey: "true", alarmEmail: "ops@example.org", backupDays: "35" },
    ],
    ["a stage with a locked archive", { ...LIVE, archive: "true", archiveLockDays: "30" }],
    ["a disposable stage with an archive", { ...TRIAL, archive: "true" }],
    [
      "a stage that notifies every kind of receiver",
      { ...LIVE, rules: RULES, rulesSecret: RULES_SECRET, encryption: "customer", tracing: "true" },
    ],
    ["a traced stage without an access log", { ...LIVE, tracing: "true", accessLogs: "none" }],
  ])("accepts %s", (_, context) => {
    const app = unbundled();
    const given: Readonly<Record<string, string>> = context;
    // oxlint-disable-next-line no-new -- a construct adds itself to its scope
    new StageStack(app, "Outlive", { context: (name) => given[name] });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});
