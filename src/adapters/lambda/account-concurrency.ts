import { GetAccountSettingsCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { awsError } from "../aws/aws-error.ts";

/** Concurrent executions that Lambda allows in the account's region. */
export interface AccountConcurrency {
  /** For all functions together. */
  readonly total: number;
  /** What no function has reserved. */
  readonly unreserved: number;
}

/** Returns `undefined` if the endpoint does not report it, as some emulators. Throws an AwsError. */
export async function readAccountConcurrency(client: LambdaClient): Promise<AccountConcurrency | undefined> {
  try {
    const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: total, UnreservedConcurrentExecutions: unreserved = total } = AccountLimit;
    return total === undefined || unreserved === undefined ? undefined : { total, unreserved };
  } catch (cause) {
    throw awsError("The account's Lambda settings", cause);
  }
}
