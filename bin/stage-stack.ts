import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { BackupVault } from "aws-cdk-lib/aws-backup";
import { ArnPrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { auditLogsOf } from "../lib/audit-logs/audit-log-settings.ts";
import { arnsOf, type Context, flagOf, numberOf, textOf } from "../lib/context-values.ts";
import { Outlive } from "../lib/outlive.ts";
import type { AuditLogGroup, OutliveProps } from "../lib/outlive-props.ts";
import { readersOf } from "../lib/access/reader-settings.ts";
import { VALUE_NAMES } from "../lib/property-names.ts";
import { removalPolicyOf } from "../lib/storage/storage-policy.ts";

export interface StageStackProps extends StackProps {
  /** Reads the value of a setting. */
  readonly context: Context;
}

/** A stack with one stage, whose settings are context values: `npx cdk deploy -c stage=test -c retentionDays=90`. */
export class StageStack extends Stack {
  readonly outlive: Outlive;

  constructor(scope: Construct, id: string, { context, ...props }: StageStackProps) {
    super(scope, id, { description: "Outlive: Job status that outlives its Pods", ...props });
    const senders = arnsOf(context, "senderArns").map((arn) => new ArnPrincipal(arn));
    // The CDK leaves `Default` out of the names of resources.
    this.outlive = new Outlive(this, "Default", propsOf(this, context));
    for (const sender of senders) this.outlive.grantSend(sender);
    const { ApiUrl, PageUrl, QueueUrl, QueueArn } = this.outlive.addresses;
    const addresses = { ApiUrl, PageUrl, QueueUrl, QueueArn };
    for (const [name, value] of Object.entries(addresses)) new CfnOutput(this, name, { value });
  }
}

const EMAIL = { pattern: /^[^\s@]+@[^\s@]+$/, form: "an address such as ops@example.org" };
const ENCRYPTION = { pattern: /^(aws|customer)$/, form: "aws or customer" };
const VAULT = {
  pattern: /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:\S+$/,
  form: "the ARN of a backup vault",
};
const SECRET = {
  pattern: /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/,
  form: "the whole ARN of a secret of Secrets Manager",
};

/** Throws InvalidSettingsError. */
function propsOf(scope: Construct, context: Context): OutliveProps {
  const given = VALUE_NAMES.flatMap((name) => (context(name) === undefined ? [] : [[name, context(name)] as const]));
  return {
    // The values of `-c` are texts. The construct reads and checks them.
    ...(Object.fromEntries(given) as Partial<OutliveProps>),
    readers: readersOf(context),
    ...durations(context),
    ...resources(scope, context),
  };
}

/** The context values of some properties are numbers of days. */
function durations(context: Context): Pick<OutliveProps, "retention" | "logRetention" | "archiveLock"> {
  const days = (name: string) => {
    if (context(name) === undefined) return undefined;
    return Duration.days(numberOf(context, name, { least: 1, most: 36_500, default: 1 }));
  };
  const [retention, logRetention, archiveLock] = [days("retentionDays"), days("logDays"), days("archiveLockDays")];
  return {
    ...(retention !== undefined && { retention }),
    ...(logRetention !== undefined && { logRetention }),
    ...(archiveLock !== undefined && { archiveLock }),
  };
}

/** What the construct gets as objects. */
function resources(scope: Construct, context: Context): Partial<OutliveProps> {
  const key = textOf(context, "encryption", ENCRYPTION) === "customer" ? createKey(scope, context) : undefined;
  const email = textOf(context, "alarmEmail", EMAIL);
  const vault = textOf(context, "backupCopyVault", VAULT);
  const secret = textOf(context, "rulesSecret", SECRET);
  const groups = auditLogsOf(context)?.groups;
  return {
    ...(key !== undefined && { encryptionKey: key }),
    ...(email !== undefined && { alarmTopic: createTopic(scope, email) }),
    ...(vault !== undefined && { backupCopyVault: BackupVault.fromBackupVaultArn(scope, "CopyVault", vault) }),
    ...(secret !== undefined && { rulesSecret: Secret.fromSecretCompleteArn(scope, "RulesSecret", secret) }),
    ...(groups !== undefined && { auditLogGroups: logGroups(scope, groups) }),
  };
}

function createKey(scope: Construct, context: Context): Key {
  const removalPolicy = removalPolicyOf({ disposable: flagOf(context, "disposable") });
  return new Key(scope, "Key", { enableKeyRotation: true, removalPolicy });
}

function createTopic(scope: Construct, email: string): Topic {
  const topic = new Topic(scope, "AlarmTopic", { enforceSSL: true });
  topic.addSubscription(new EmailSubscription(email));
  return topic;
}

function logGroups(scope: Construct, groups: ReadonlyMap<string, string>): readonly AuditLogGroup[] {
  return [...groups].map(([name, cluster], number) => ({
    cluster,
    logGroup: LogGroup.fromLogGroupName(scope, `AuditLogs${number}`, name),
  }));
}
