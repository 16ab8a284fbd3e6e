import type { AccountConcurrency } from "../../src/adapters/lambda/account-concurrency.ts";
import { type Check, type Finding, ok, warning } from "./check.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";

/**
 * Compares the account's Lambda quota with what the stage's functions use at most. Too small a quota delays, and loses
 * nothing: it is a warning.
 */
export async function checkConcurrency(
  needed: number,
  read: () => Promise<AccountConcurrency | undefined>,
): Promise<Check> {
  return { check: "concurrency", ...(await compare(needed, read)) };
}

async function compare(needed: number, read: () => Promise<AccountConcurrency | undefined>): Promise<Finding> {
  try {
    const account = await read();
    if (account === undefined) return { result: "skipped", detail: "The endpoint reports no quota." };
    return judge(needed, account);
  } catch (cause) {
    return warning(`The account's quota could not be compared with what the functions use. ${errorMessage(cause)}`);
  }
}

function judge(needed: number, { total, unreserved }: AccountConcurrency): Finding {
  if (needed > total) {
    return warning(
      `The functions use up to ${needed} concurrent executions, and the account has ${total}. Under load, they take ` +
        "turns. Ask for more (Service Quotas, Lambda, Concurrent executions), or lower the settings of the stage.",
    );
  }
  return ok(
    `The functions use up to ${needed} of the account's ${total} concurrent executions; ${unreserved} are not ` +
      "reserved for any function.",
  );
}
