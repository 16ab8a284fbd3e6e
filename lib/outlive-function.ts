import { fileURLToPath } from "node:url";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  ApplicationLogLevel,
  Architecture,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { type BundlingOptions, NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { FunctionEnvironment, FunctionName } from "../src/deployment/environment.ts";
import { createLiveAlias, type LiveAlias } from "./live-alias.ts";
import { suppressNag } from "./nag-suppression.ts";
import { neverLoadedBy } from "./never-loaded.ts";

/** What all functions of a stage share. */
export interface StageOfFunctions {
  /** The dimension of their metrics, and a field of their log lines. */
  readonly stage: string;
  /** Whether X-Ray traces requests (active tracing). @default false */
  readonly tracing?: boolean | undefined;
}

interface NamedFunctionProps<Name extends FunctionName> extends StageOfFunctions {
  /** The file in functions/ that it runs. */
  readonly name: Name;
  readonly description: string;
  /** The function's variables (src/deployment/environment.ts). */
  readonly environment: FunctionEnvironment<Name>;
  /** At most 15 minutes. @default 30 seconds */
  readonly timeout?: Duration;
  /** MiB; the CPU grows with it, one whole vCPU at 1,769. @default 512 */
  readonly memory?: number;
  /** Concurrent executions, reserved for this function and its limit. @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number;
  /**
   * For functions of which a later deployment can keep a version: its versions are not deleted. A number is the version
   * that the alias keeps. @default the alias has the version that is deployed, and earlier ones are deleted
   */
  readonly keeps?: "versions" | { readonly version: string };
  /** A folder to copy beside the bundle, relative to the project's root. @default none */
  readonly assets?: string;
  /** A file to copy beside the bundle, under another name. @default none */
  readonly file?: { readonly from: string; readonly name: string };
}

export type OutliveFunctionProps = { readonly [Name in FunctionName]: NamedFunctionProps<Name> }[FunctionName];

/** What DynamoDB, SQS and S3 do with the key of the data, with the permissions of the caller. */
export const KEY_USE = [
  "kms:Decrypt",
  "kms:DescribeKey",
  "kms:Encrypt",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
];
/**
 * Lambda's own lines (START, REPORT) are one JSON object each, and only those about a failure are kept: a timeout, an
 * error at start-up. At one line of 300 bytes per invocation, the others would be most of the log. Lambda's metrics
 * have their figures.
 */
const LOGGING = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
} as const;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Some packages in the bundle are CommonJS and call `require` for Node's own modules. */
const REQUIRE = 'import{createRequire as r}from"node:module";const require=r(import.meta.url);';

/**
 * A Lambda function: Node 24 on arm64, one minified ES module, a log group with one month of retention, and a role that
 * can only write to this log group until {@link OutliveFunction.allow} adds a statement.
 */
export class OutliveFunction extends Construct {
  /** The code that was deployed last. Event sources and the API invoke {@link live}. */
  readonly lambda: NodejsFunction;
  /** The published version in use. Its target moves with each deployment (lib/canary.ts). */
  readonly live: LiveAlias;
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
      ...LOGGING,
      timeout,
      memorySize: memory,
      environment: { OUTLIVE_STAGE: stage, ...environment },
      ...(props.tracing === true && { tracing: Tracing.ACTIVE }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      bundling: bundlingOf(props),
      ...(props.keeps !== undefined && { currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN } }),
    });
    this.live = createLiveAlias(this, this.lambda, typeof props.keeps === "object" ? props.keeps.version : undefined);
    if (props.tracing === true) suppressNag(this.role, "IAM5[Resource::*]", "X-Ray has no resources to name.");
  }

  /** Adds one statement to the role. Statements stay separate, so that each one can be reviewed on its own. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** Allows actions on the items of a table with one of these partition keys only. */
  allowItems(actions: readonly string[], tableArn: string, partitionKeys: readonly string[]): void {
    this.role.addToPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: [tableArn],
        conditions: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [...partitionKeys] } },
      }),
    );
  }

  /** The same for partition keys with `*`. */
  allowItemsLike(actions: readonly string[], tableArn: string, patterns: readonly string[]): void {
    this.role.addToPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: [tableArn],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...patterns] } },
      }),
    );
  }

  /**
   * Allows actions on items that name these attributes only (Developer Guide, "Using IAM policy conditions for
   * fine-grained access control"). The response must not have others.
   */
  allowAttributes(actions: readonly string[], tableArns: readonly string[], attributes: readonly string[]): void {
    this.role.addToPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: [...tableArns],
        conditions: {
          "ForAllValues:StringEquals": { "dynamodb:Attributes": [...attributes] },
          StringEqualsIfExists: { "dynamodb:ReturnValues": ["NONE", "UPDATED_OLD", "UPDATED_NEW"] },
        },
      }),
    );
  }

  /** Denies actions on the items of a table with one of these partition keys, whatever another statement allows. */
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

  /** Lets the function use the key of the data: DynamoDB, SQS and S3 call KMS with the caller's permissions. */
  grantKey(key: IKey | undefined): void {
    if (key !== undefined) this.allow(KEY_USE, [key.keyArn]);
  }
}

function bundlingOf({ name, assets, file }: OutliveFunctionProps): BundlingOptions {
  return {
    format: OutputFormat.ESM,
    target: "node24",
    mainFields: ["module", "main"],
    minify: true,
    // The bundle has its own SDK, because the one of the Lambda runtime changes without notice.
    externalModules: [...neverLoadedBy(name)],
    esbuildArgs: { "--legal-comments": "none" },
    banner: REQUIRE,
    ...(assets !== undefined && { commandHooks: copying(assets) }),
    ...(file !== undefined && { commandHooks: copyingFile(file) }),
  };
}

function copyingFile({ from, name }: NonNullable<OutliveFunctionProps["file"]>) {
  const quoted = `'${from.replaceAll("'", String.raw`'\''`)}'`;
  return {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (_: string, to: string) => [`cp ${quoted} "${to}/${name}"`],
  };
}

/** Copies a folder beside the bundle. A folder that was not built is skipped; the function reports it. */
function copying(folder: string) {
  return {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (from: string, to: string) => [
      `mkdir -p "${to}/${folder}"`,
      `if [ -d "${from}/${folder}" ]; then cp -R "${from}/${folder}/." "${to}/${folder}"; fi`,
    ],
  };
}
