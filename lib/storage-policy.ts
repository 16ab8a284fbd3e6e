import { RemovalPolicy } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";

/** How a stage stores data: the same for every table, queue and bucket. */
export interface StoragePolicy {
  /**
   * Whether deleting the stack deletes the data. Disposable data has no backups and no deletion protection. @default
   * false
   */
  readonly disposable?: boolean;
  /** The KMS key that encrypts the data at rest. @default an AWS owned key */
  readonly key?: IKey;
  /** Write units per second that each table and index accepts at once. @default what DynamoDB provides */
  readonly warmWriteUnits?: number;
}

export function removalPolicyOf({ disposable = false }: StoragePolicy): RemovalPolicy {
  return disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}
