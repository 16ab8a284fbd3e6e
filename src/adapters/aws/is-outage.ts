import { AwsError, AwsRequestRefusedError } from "./aws-error.ts";

/**
 * Whether a request to AWS failed for a reason that time or an operator can remove. A request that AWS rejects for its
 * content is not an outage: AWS would reject it again.
 */
export function isOutage(cause: unknown): boolean {
  return cause instanceof AwsError && !(cause instanceof AwsRequestRefusedError);
}
