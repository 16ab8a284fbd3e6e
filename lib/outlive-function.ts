import { AssetHashType, DockerImage, Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  type IFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { FunctionEnvironment, FunctionName } from "../src/ports/deployment/settings/function-settings.ts";
import { FUNCTIONS_FOLDER, writeFunction } from "./bundling/function-code.ts";
import { createLiveAlias, type LiveAlias } from "./live-alias.ts";
import { suppressNag } from "./nag-suppression.ts";

/** What all functions of a stage share. */
export interface StageOfFunctions {
  /** The dimension of their metrics, and a field of their log lines. */
  readonly stage: string;
  /** Whether X-Ray traces requests (active tracing). @default false */
  readonly tracing?: boolean | undefined;
}

export interface OutliveFunctionProps<Name extends FunctionName> extends StageOfFunctions {
  /** The file in functions/ that it runs. */
  readonly name: Name;
  readonly description: string;
  /** The variables that the function requires, and those that were configured. */
  readonly environment: FunctionEnvironment<Name>;
  /** At most 15 minutes. @default 30 seconds */
  readonly timeout?: Duration;
  /** MiB; the CPU grows with it, one whole vCPU at 1,769. @default 512 */
  readonly memory?: number;
  /** Concurrent executions, reserved for this function and its limit. @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number;
  /**
   * Which versions of the function are published. `replaced`: the one that was deployed last, to which an alias moves
   * without interrupting requests. `kept`: each, so that a later deployment can stay at an earlier one, which is then
   * named. @default none: the function has no alias, and its code changes in place
   */
  readonly versions?: "replaced" | "kept" | { readonly version: string } | undefined;
  /**
   * Whether the policy is a resource of its own: for a role that another resource of the policy names, which would be a
   * cycle. @default false: it is inline
   */
  readonly hasOwnPolicy?: boolean;
  /** A folder to copy beside the bundle, relative to the project's root. @default none */
  readonly assets?: string;
  /** Files to write beside the bundle: their content by name. @default none */
  readonly files?: Readonly<Record<string, string>>;
}

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
 * Lambda's own log lines (START, REPORT) are JSON objects. Only lines about failures are kept, such as timeouts and
 * errors at start-up. The others would be most of the log, with 300 bytes per invocation, and their figures are in
 * Lambda's metrics.
 */
const LOGGING = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
} as const;

/**
 * A Lambda function: Node 24 on arm64, minified ES modules, a log group with one month of retention, and a role that
 * can only write to this log group until {@link OutliveFunction.allow} adds a statement.
 */
export class OutliveFunction<Name extends FunctionName = FunctionName> extends Construct {
  readonly name: Name;
  /** The code that was deployed last. Event sources and the API invoke {@link live}. */
  readonly lambda: LambdaFunction;
  /** Of the published version in use, where versions are published. */
  readonly alias: LiveAlias | undefined;
  readonly role: Role;
  /** The role's inline policy. */
  readonly #policy: PolicyDocument | undefined;

  constructor(scope: Construct, id: string, props: OutliveFunctionProps<Name>) {
    super(scope, id);
    this.name = props.name;
    const { stage, description, environment, timeout = Duration.seconds(30), memory = 512 } = props;
    const logGroup = new LogGroup(this, "Logs", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#policy = props.hasOwnPolicy === true ? undefined : new PolicyDocument();
    this.role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description,
      ...(this.#policy !== undefined && { inlinePolicies: { Permissions: this.#policy } }),
    });
    this.allow(["logs:CreateLogStream", "logs:PutLogEvents"], [logGroup.logGroupArn]);
    this.lambda = new LambdaFunction(this, "Function", {
      description,
      code: codeOf(props),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // Otherwise the construct would create a second policy.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      ...LOGGING,
      timeout,
      memorySize: memory,
      environment: { OUTLIVE_STAGE: stage, ...environment },
      ...(props.tracing === true && { tracing: Tracing.ACTIVE }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(isKept(props) && { currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN } }),
    });
    this.alias = props.versions === undefined ? undefined : createLiveAlias(this, this.lambda, keptVersion(props));
    if (props.tracing === true) this.#allowTracing();
  }

  /** What invocations run: the published version in use, or the function itself. */
  get live(): IFunction {
    return this.alias ?? this.lambda;
  }

  /** Sets a variable whose value is known only after the function was created. */
  setVariable(variable: keyof FunctionEnvironment<Name> & string, value: string): void {
    this.lambda.addEnvironment(variable, value);
  }

  /** Adds one statement to the role. Statements stay separate, so that each one can be reviewed on its own. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    this.allowIf(actions, resources, undefined);
  }

  /** Adds a statement that applies only under these conditions. */
  allowIf(actions: readonly string[], resources: readonly string[], conditions: Conditions): void {
    const statement = { actions: [...actions], resources: [...resources] };
    this.#add(new PolicyStatement({ ...statement, ...(conditions && { conditions }) }));
  }

  #add(statement: PolicyStatement): void {
    if (this.#policy === undefined) this.role.addToPolicy(statement);
    else this.#policy.addStatements(statement);
  }

  #allowTracing(): void {
    this.allow(["xray:PutTraceSegments", "xray:PutTelemetryRecords"], ["*"]);
    suppressNag(this.role, "IAM5[Resource::*]", "X-Ray has no resources to name.");
  }

  /** Allows actions on items whose partition keys match one of these patterns. */
  allowItems(actions: readonly string[], tableArn: string, patterns: readonly string[]): void {
    this.allowIf(actions, [tableArn], { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...patterns] } });
  }

  /**
   * Allows actions on items that name these attributes only (Developer Guide, "Using IAM policy conditions for
   * fine-grained access control"). The response must not have others.
   */
  allowAttributes(actions: readonly string[], tableArns: readonly string[], attributes: readonly string[]): void {
    this.allowIf(actions, tableArns, {
      "ForAllValues:StringEquals": { "dynamodb:Attributes": [...attributes] },
      StringEqualsIfExists: { "dynamodb:ReturnValues": ["NONE", "UPDATED_OLD", "UPDATED_NEW"] },
    });
  }

  /** Denies actions on items whose partition keys match one of these patterns, whatever another statement allows. */
  denyItems(actions: readonly string[], tableArn: string, patterns: readonly string[]): void {
    this.#add(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: [...actions],
        resources: [tableArn],
        conditions: { "ForAnyValue:StringLike": { "dynamodb:LeadingKeys": [...patterns] } },
      }),
    );
  }

  /** Grants the function the use of the data's key: DynamoDB, SQS and S3 call KMS with the caller's permissions. */
  grantKey(key: IKey | undefined): void {
    if (key !== undefined) this.allow(KEY_USE, [key.keyArn]);
  }
}

type Conditions = PolicyStatementProps["conditions"];

function isKept({ versions }: Pick<OutliveFunctionProps<FunctionName>, "versions">): boolean {
  return versions !== undefined && versions !== "replaced";
}

function keptVersion({ versions }: Pick<OutliveFunctionProps<FunctionName>, "versions">): string | undefined {
  return typeof versions === "object" ? versions.version : undefined;
}

/**
 * The code of a function. An app that does not bundle, such as a test, gets the sources instead. CDK bundles once for
 * equal options, and compares only those that are texts: they name the function and what is beside it.
 */
function codeOf({ name, assets, files = {} }: OutliveFunctionProps<FunctionName>): Code {
  return Code.fromAsset(FUNCTIONS_FOLDER, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry("not-used"),
      command: [name, assets ?? "", JSON.stringify(files)],
      local: {
        tryBundle: (to) => {
          writeFunction(name, to, { folder: assets, files });
          return true;
        },
      },
    },
  });
}
