import { RemovalPolicy } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { type Context, flagOf, textOf } from "../context-values.ts";

/** The storage classes and backups of tables. Each field is a context value of its own. */
export interface StorageSettings {
  /**
   * The table class of the log and of the tables of Jobs. `infrequent` (DynamoDB Standard-IA) stores for 40 % of the
   * price, and a read or write costs 25 % more: it is cheaper if data is kept for more than about half a year
   * (docs/decisions/0035-cost-of-storage.md). It can be changed twice in 30 days. @default "infrequent" if
   * `retentionDays` is 180 or more, otherwise "standard"
   */
  readonly tableClass: "standard" | "infrequent";
  /**
   * Whether the tables of Jobs have point-in-time recovery too. The log has all that is in them: `outlive replay`
   * rebuilds them. @default false
   */
  readonly backupJobs: boolean;
}

/** For how many days data is kept at least for the class `infrequent` to be the default. */
const INFREQUENT_FROM_DAYS = 180;
const TABLE_CLASS = { pattern: /^(standard|infrequent)$/, form: "standard or infrequent" };

export function readStorage(context: Context, retentionDays: number): StorageSettings {
  const byRetention = retentionDays >= INFREQUENT_FROM_DAYS ? "infrequent" : "standard";
  const chosen = textOf(context, "tableClass", TABLE_CLASS) ?? byRetention;
  return {
    tableClass: chosen === "infrequent" ? "infrequent" : "standard",
    backupJobs: flagOf(context, "backupJobs"),
  };
}

/** How a stage stores data: the same for every table, queue and bucket. */
export interface StoragePolicy extends Partial<StorageSettings> {
  /**
   * Whether deleting the stack deletes the data. Disposable data has no backups and no deletion protection. @default
   * false
   */
  readonly disposable?: boolean;
  /** The KMS key that encrypts the data at rest. @default an AWS owned key */
  readonly key?: IKey;
  /** Write units per second that each table and index accepts at once. @default what DynamoDB provides */
  readonly warmWriteUnits?: number;
  /** Jobs per second at the peak for which tables have provisioned capacity. @default they are billed on demand */
  readonly provisionedFor?: number;
}

export function removalPolicyOf({ disposable = false }: StoragePolicy): RemovalPolicy {
  return disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}
