import { Validations } from "aws-cdk-lib";
import { Match } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, it } from "vitest";
import { signInOf } from "../../functions/lambda/sign-in.ts";
import { OutliveStack } from "../../lib/outlive-stack.ts";
import { readSettings } from "../../lib/settings.ts";
import { LARGE_KEPT_DAYS } from "../../src/ingest/set-aside.ts";
import { readPageSettings } from "../../src/runtime/function-settings.ts";
import { LIVE, PAGE_CLIENT, synthesise, TRIAL, unbundled } from "./synthesised.ts";

const KEEPS_DATA = /^AWS::(DynamoDB::Table|S3::Bucket|SQS::Queue|KMS::Key)$/;
const live = synthesise(LIVE);

function keeping({ resources }: ReturnType<typeof synthesise>) {
  return [...resources].filter(([, { type }]) => KEEPS_DATA.test(type));
}

describe("a stage that is kept", () => {
  it("leaves everything that holds data behind when the stack is deleted", () => {
    expect(new Set(keeping(live).map(([, { deletionPolicy }]) => deletionPolicy))).toEqual(new Set(["Retain"]));
  });

  it("has tables that refuse to be deleted and can be put back to any second", () => {
    live.template.allResourcesProperties("AWS::DynamoDB::Table", {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      BillingMode: "PAY_PER_REQUEST",
    });
  });

  it("keeps the names under which CloudFormation knows what holds data: another name is another, empty one", () => {
    expect(keeping(live).map(([id, { path }]) => `${path}: ${id}`)).toMatchInlineSnapshot(`
      [
        "Log/Table: LogTable81E80B89",
        "Projection/JobsA: ProjectionJobsA3778E188",
        "Projection/JobsB: ProjectionJobsBA45A5727",
        "Projection/Meta: ProjectionMeta4D038B7A",
        "Projection/Refolds/DeadLetters: ProjectionRefoldsDeadLettersB0181210",
        "Projection/Refolds/Queue: ProjectionRefoldsQueue246C55EA",
        "Projection/GivenUp/Bucket: ProjectionGivenUpBucket905479F2",
        "In/Segments/DeadLetters: InSegmentsDeadLetters9DE09DD2",
        "In/Segments/Queue: InSegmentsQueueC10E946E",
        "In/SetAside/Bucket: InSetAsideBucket4193F54B",
        "Replay/Turns/DeadLetters: ReplayTurnsDeadLetters8D99264D",
        "Replay/Turns/Queue: ReplayTurnsQueueAB870CCA",
      ]
    `);
  });

  it("keeps large messages that were set aside for as long as a redrive looks for them", () => {
    const [, bucket] = [...live.resources].find(([, { path }]) => path === "In/SetAside/Bucket") ?? [];
    expect(bucket?.properties["LifecycleConfiguration"]).toMatchObject({
      Rules: [{ ExpirationInDays: LARGE_KEPT_DAYS }],
    });
  });

  it("has the resources that it had", () => {
    const counts: Record<string, number> = {};
    for (const { type } of live.resources.values()) counts[type] = (counts[type] ?? 0) + 1;
    expect(counts).toMatchInlineSnapshot(`
      {
        "AWS::ApiGateway::Deployment": 1,
        "AWS::ApiGateway::Method": 14,
        "AWS::ApiGateway::Resource": 13,
        "AWS::ApiGateway::RestApi": 1,
        "AWS::ApiGateway::Stage": 1,
        "AWS::CloudWatch::Alarm": 16,
        "AWS::CloudWatch::Dashboard": 1,
        "AWS::DynamoDB::Table": 4,
        "AWS::Events::Rule": 2,
        "AWS::IAM::Policy": 8,
        "AWS::IAM::Role": 8,
        "AWS::Lambda::EventSourceMapping": 4,
        "AWS::Lambda::Function": 8,
        "AWS::Lambda::Permission": 16,
        "AWS::Logs::LogGroup": 8,
        "AWS::S3::Bucket": 2,
        "AWS::S3::BucketPolicy": 2,
        "AWS::SQS::Queue": 6,
        "AWS::SQS::QueuePolicy": 6,
      }
    `);
  });

  it("carries its stage as a tag", () => {
    live.template.allResourcesProperties("AWS::Lambda::Function", {
      Tags: Match.arrayWith([{ Key: "outlive:stage", Value: "live" }]),
    });
  });

  it("encrypts with a key of the account where that was chosen, and rotates it", () => {
    const { template } = synthesise({ ...LIVE, encryption: "customer" });
    template.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    template.allResourcesProperties("AWS::DynamoDB::Table", { SSESpecification: { SSEType: "KMS" } });
    template.allResourcesProperties("AWS::SQS::Queue", { KmsMasterKeyId: Match.anyValue() });
  });
});

describe("a stage that is disposable", () => {
  const trial = synthesise(TRIAL);

  it("goes with all its data", () => {
    expect(new Set(keeping(trial).map(([, { deletionPolicy }]) => deletionPolicy))).toEqual(new Set(["Delete"]));
    trial.template.allResourcesProperties("AWS::DynamoDB::Table", { DeletionProtectionEnabled: false });
  });
});

describe("the functions", () => {
  it("run Node 24 on arm64", () => {
    live.template.allResourcesProperties("AWS::Lambda::Function", { Runtime: "nodejs24.x", Architectures: ["arm64"] });
  });

  it("are told the stage, and only what they read", () => {
    const told = [...live.resources.values()]
      .filter(({ type }) => type === "AWS::Lambda::Function")
      .map(({ path, properties }) => {
        const { Variables } = properties["Environment"] as { readonly Variables: Readonly<Record<string, unknown>> };
        return `${path.split("/").at(-2)}: ${Object.keys(Variables).toSorted().join(" ")}`;
      });
    expect(told).toMatchInlineSnapshot(`
      [
        "Project: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_META_TABLE OUTLIVE_REFOLD_QUEUE_URL OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Refold: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_LOG_TABLE OUTLIVE_META_TABLE OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Ingest: OUTLIVE_LOG_TABLE OUTLIVE_META_TABLE OUTLIVE_OPEN_MODE OUTLIVE_RETENTION_DAYS OUTLIVE_SET_ASIDE_BUCKET OUTLIVE_STAGE",
        "Replay: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_LOG_TABLE OUTLIVE_META_TABLE OUTLIVE_REPLAY_QUEUE_URL OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Sweep: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_META_TABLE OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Audit: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_LOG_TABLE OUTLIVE_META_TABLE OUTLIVE_REFOLD_QUEUE_URL OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Query: OUTLIVE_JOBS_TABLE_A OUTLIVE_JOBS_TABLE_B OUTLIVE_LOG_TABLE OUTLIVE_META_TABLE OUTLIVE_OIDC_AUDIENCE OUTLIVE_OIDC_ISSUER OUTLIVE_RETENTION_DAYS OUTLIVE_STAGE",
        "Page: OUTLIVE_OIDC_AUDIENCE OUTLIVE_OIDC_ISSUER OUTLIVE_STAGE",
      ]
    `);
  });

  it("leave no concurrency to others where that was chosen", () => {
    const { template } = synthesise({ ...LIVE, reserveConcurrency: "true" });
    const reserved = template.findResources("AWS::Lambda::Function", {
      Properties: { ReservedConcurrentExecutions: Match.anyValue() },
    });
    expect(Object.keys(reserved)).toHaveLength(3);
  });
});

describe("the projection's hold on the log's stream", () => {
  it("reads ten lanes at once, halves a batch that throws, and gives up in time to keep the records", () => {
    live.template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 10,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 72_000,
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it("is collected in one lane where a deployment says for how long", () => {
    synthesise({ ...LIVE, foldSeconds: "2" }).template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      MaximumBatchingWindowInSeconds: 2,
      ParallelizationFactor: 1,
    });
  });
});

describe("a queue", () => {
  it("hands over batches whose answers name what failed", () => {
    const mappings = [...live.resources.values()].filter(({ type }) => type === "AWS::Lambda::EventSourceMapping");
    expect(new Set(mappings.map(({ properties }) => String(properties["FunctionResponseTypes"])))).toEqual(
      new Set(["ReportBatchItemFailures"]),
    );
  });

  it("keeps what it holds for the 14 days that SQS allows, and takes nothing in the clear", () => {
    live.template.allResourcesProperties("AWS::SQS::Queue", { MessageRetentionPeriod: 1_209_600 });
    live.template.allResourcesProperties("AWS::SQS::QueuePolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        ]),
      },
    });
  });

  it("takes segments from the accounts that were named, and from no others", () => {
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

describe("the API", () => {
  it("throttles everybody together, and asks for a key where that was chosen", () => {
    live.template.hasResourceProperties("AWS::ApiGateway::Stage", {
      StageName: "live",
      MethodSettings: [{ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, HttpMethod: "*", ResourcePath: "/*" }],
    });
    live.template.resourceCountIs("AWS::ApiGateway::UsagePlan", 0);
    synthesise({ ...LIVE, apiKey: "true" }).template.resourceCountIs("AWS::ApiGateway::UsagePlan", 1);
  });

  it("has API Gateway check signatures where readers come by IAM", () => {
    const questions = [...synthesise({ iamAccess: "true" }).resources.values()].filter(
      ({ type, properties }) => type === "AWS::ApiGateway::Method" && properties["HttpMethod"] === "ANY",
    );
    expect(new Set(questions.map(({ properties }) => properties["AuthorizationType"]))).toEqual(new Set(["AWS_IAM"]));
  });
});

describe("the page", () => {
  it.each([
    ["a token to paste", LIVE, { kind: "token" }],
    [
      "the issuer, by what the discovery document says of it",
      { ...LIVE, ...PAGE_CLIENT },
      {
        kind: "oidc",
        clientId: "outlive-page",
        authorizationEndpoint: "https://login.example.org/authorize",
        tokenEndpoint: "https://login.example.org/token",
        scope: "openid",
        tokenToSend: "access_token",
      },
    ],
    [
      "the issuer, with the scopes and the token that were chosen",
      { ...LIVE, ...PAGE_CLIENT, pageScope: "openid email", pageToken: "id_token" },
      expect.objectContaining({ scope: "openid email", tokenToSend: "id_token" }),
    ],
    ["nothing, where anybody may read", TRIAL, { kind: "none" }],
  ])("asks its readers for %s, as its function reads what the stack tells it", (_, context, signIn) => {
    expect(signInOf(readPageSettings(variablesOf("Page", synthesise(context))))).toEqual(signIn);
  });

  it("alone is told how it signs in", () => {
    const query = Object.keys(variablesOf("Query", synthesise({ ...LIVE, ...PAGE_CLIENT })));
    expect(query.filter((name) => name.startsWith("OUTLIVE_PAGE"))).toEqual([]);
  });
});

/** What a function is told. Those of the page are all known when the stack is synthesised. */
function variablesOf(name: string, { resources }: ReturnType<typeof synthesise>): Readonly<Record<string, string>> {
  const [properties] = [...resources.values()].flatMap(({ path, properties }) =>
    path === `Query/${name}/Function` ? [properties] : [],
  );
  const environment = properties?.["Environment"] as
    | { readonly Variables: Readonly<Record<string, string>> }
    | undefined;
  return environment?.Variables ?? {};
}

describe("cdk-nag", () => {
  it.each([
    ["a stage that is kept", LIVE],
    ["a disposable stage", TRIAL],
    [
      "a stage with its own key, signed questions, an API key and an address",
      { iamAccess: "true", encryption: "customer", apiKey: "true", alarmEmail: "ops@example.org" },
    ],
  ])("finds nothing in %s that has no reason", (_, context) => {
    const app = unbundled();
    const given: Readonly<Record<string, string>> = context;
    // oxlint-disable-next-line no-new -- a stack is made by naming its place in the app
    new OutliveStack(app, "Outlive", { settings: readSettings((name) => given[name]) });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});

describe("the replay", () => {
  it("may go round as often as the log is long: Lambda is told that it is meant", () => {
    live.template.hasResourceProperties("AWS::Lambda::Function", { Timeout: 900, RecursiveLoop: "Allow" });
  });
});
