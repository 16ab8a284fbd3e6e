import { AwsError, AwsRequestRefusedError } from "./aws-error.ts";

/**
 * Whether AWS did not do what was asked for a reason that time or an operator can remove. A request that AWS refuses
 * for its content is none: it would be refused again.
 */
export function isOutage(cause: unknown): boolean {
  return cause instanceof AwsError && !(cause instanceof AwsRequestRefusedError);
}
