import { fileURLToPath } from "node:url";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { Architecture, RecursiveLoop, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { NEVER_LOADED } from "./never-loaded.ts";

export type FunctionName = "ingest" | "project" | "refold" | "audit" | "query" | "replay" | "sweep" | "page";

export interface OutliveFunctionProps {
  /** The file in functions/ that it runs. */
  readonly name: FunctionName;
  /** Which metrics and logs it writes to. */
  readonly stage: string;
  readonly description: string;
  /** What it reads and writes, by name (src/runtime). @default nothing but the stage */
  readonly environment?: Readonly<Record<string, string>>;
  /** Lambda ends it after this; at most 15 minutes. @default 30 seconds */
  readonly timeout?: Duration;
  /** MiB; the CPU grows with it, one whole vCPU at 1,769. @default 512 */
  readonly memory?: number;
  /** How many of it run at once at most, kept free for it. @default what the account has left */
  readonly reservedConcurrency?: number;
  /** Whether it goes on by sending itself messages: Lambda stops what goes round sixteen times, unless told that it is meant. @default false */
  readonly sendsItself?: boolean;
  /** A folder that is laid beside the bundle, by path from the project's root. @default none */
  readonly assets?: string;
}

const KEY_USE = [
  "kms:Decrypt",
  "kms:DescribeKey",
  "kms:Encrypt",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
];
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Some packages in the bundle are CommonJS and call `require` for Node's own modules. */
const REQUIRE = 'import{createRequire as r}from"node:module";const require=r(import.meta.url);';

/**
 * One Lambda function of ours: Node 24 on arm64, one minified module with everything in it, a log group with an end, and a role that may write there and
 * nothing else until {@link OutliveFunction.allow} says so.
 */
export class OutliveFunction extends Construct {
  readonly lambda: NodejsFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: OutliveFunctionProps) {
    super(scope, id);
    const { name, stage, description, environment, timeout = Duration.seconds(30), memory = 512 } = props;
    const logGroup = new LogGroup(this, "Logs", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com"), description });
    this.allow(["logs:CreateLogStream", "logs:PutLogEvents"], [logGroup.logGroupArn]);
    this.lambda = new NodejsFunction(this, "Function", {
      description,
      entry: `${ROOT}functions/${name}.ts`,
      handler: "handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
      timeout,
      memorySize: memory,
      environment: { OUTLIVE_STAGE: stage, ...environment },
      ...(props.sendsItself === true && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        mainFields: ["module", "main"],
        minify: true,
        // The SDK of the runtime changes under the code: ours is in the bundle, but for what it never loads here.
        externalModules: [...NEVER_LOADED],
        esbuildArgs: { "--legal-comments": "none" },
        banner: REQUIRE,
        ...(props.assets !== undefined && { commandHooks: copying(props.assets) }),
      },
    });
  }

  /** Adds one statement to the role. Statements that differ in their actions alone are kept apart, so that each can be read for itself. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** Forbids it the items of a table whose partition key is one of `partitionKeys`, whatever else it is allowed. */
  denyItems(actions: readonly string[], tableArn: string, partitionKeys: readonly string[]): void {
    this.role.addToPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: [...actions],
        resources: [tableArn],
        conditions: { "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": [...partitionKeys] } },
      }),
    );
  }

  /** Lets it use the key that encrypts what it reads and writes: DynamoDB, SQS and S3 ask for the key in the name of who asks them. */
  useKey(key: IKey | undefined): void {
    if (key !== undefined) this.allow(KEY_USE, [key.keyArn]);
  }
}

function copying(folder: string) {
  return {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // What was not built is not there; the function says so.
    afterBundling: (from: string, to: string) => [
      `mkdir -p "${to}/${folder}"`,
      `if [ -d "${from}/${folder}" ]; then cp -R "${from}/${folder}/." "${to}/${folder}"; fi`,
    ],
  };
}
