import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from "aws-cdk-lib/aws-backup";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import { type Context, InvalidSettingsError, numberOf, textOf } from "./context-values.ts";
import { suppressNag } from "./nag-suppression.ts";

/** Backups by AWS Backup. Each field is a context value of its own. */
export interface BackupSettings {
  /** For how many days a daily backup of the log and the records is kept, 1 to 3,650; 0: no backups. @default 0 */
  readonly backupDays: number;
  /**
   * The ARN of a vault that gets a copy of each backup, in another region or account: a copy outlives the loss of this
   * one. @default no copy
   */
  readonly backupCopyVault?: string;
}

const VAULT = {
  pattern: /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:\S+$/,
  form: "the ARN of a backup vault",
  mayBeToken: true,
};

export function readBackup(context: Context): BackupSettings {
  const backupDays = numberOf(context, "backupDays", { least: 0, most: 3650, default: 0 });
  const backupCopyVault = textOf(context, "backupCopyVault", VAULT);
  if (backupCopyVault !== undefined && backupDays === 0) {
    throw new InvalidSettingsError("backupCopyVault has nothing to copy. Add backupDays=35, or another number.");
  }
  return {
    backupDays,
    ...(backupCopyVault !== undefined && { backupCopyVault }),
  };
}

export interface BackupProps extends BackupSettings {
  /** The tables that nothing else can restore. */
  readonly tables: readonly Table[];
  readonly key: IKey | undefined;
}

/** When the backups begin, UTC: outside of the peak at midnight. */
const AT = { hour: "3", minute: "0" };

/**
 * Daily backups in a vault of their own, which stays when the stack is deleted. Point-in-time recovery ends with the
 * deletion of a table; these do not. AWS Backup must be enabled for DynamoDB in the account's settings, once per
 * region.
 */
export class Backup extends Construct {
  constructor(scope: Construct, id: string, { tables, key, backupDays, backupCopyVault }: BackupProps) {
    super(scope, id);
    const vault = new BackupVault(this, "Vault", {
      removalPolicy: RemovalPolicy.RETAIN,
      ...(key !== undefined && { encryptionKey: key }),
    });
    const deleteAfter = Duration.days(backupDays);
    const plan = new BackupPlan(this, "Plan", {
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: "daily",
          scheduleExpression: Schedule.cron(AT),
          deleteAfter,
          ...(backupCopyVault !== undefined && {
            copyActions: [
              {
                destinationBackupVault: BackupVault.fromBackupVaultArn(this, "CopyVault", backupCopyVault),
                deleteAfter,
              },
            ],
          }),
        }),
      ],
    });
    const role = this.#role();
    new BackupSelection(this, "Tables", {
      backupPlan: plan,
      role: role.withoutPolicyUpdates(),
      disableDefaultBackupPolicy: true,
      resources: tables.map((table) => BackupResource.fromDynamoDbTable(table)),
    });
  }

  #role(): Role {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("backup.amazonaws.com"),
      description: "Makes the daily backups of Outlive's tables",
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSBackupServiceRolePolicyForBackup")],
    });
    suppressNag(
      role,
      "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]",
      "AWS prescribes the policy of its backup service.",
    );
    return role;
  }
}
