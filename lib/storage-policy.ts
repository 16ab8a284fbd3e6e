import { RemovalPolicy } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";

/** How everything that keeps data is kept: the same for every table, queue and bucket of a stage. */
export interface StoragePolicy {
  /** Whether it goes with the stack, without PITR and without protection. @default false */
  readonly disposable?: boolean;
  /** The key that encrypts it at rest. @default a key that AWS owns */
  readonly key?: IKey;
}

export function removalPolicyOf({ disposable = false }: StoragePolicy): RemovalPolicy {
  return disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}
