import { AwsThrottledError } from "../aws/aws-error.ts";
import { attemptsOf, type Retry } from "../../ports/concurrency/retry.ts";

export interface BatchSteps<Rest> {
  readonly retry: Retry;
  /** Sends `rest` and returns what DynamoDB left undone. */
  readonly step: (rest: readonly Rest[]) => Promise<readonly Rest[]>;
}

/** Repeats a batch with its unprocessed rest until nothing is left. Throws AwsThrottledError after the last attempt. */
export async function untilDone<Rest>(
  table: string,
  all: readonly Rest[],
  { retry, step }: BatchSteps<Rest>,
): Promise<void> {
  if (all.length === 0) return;
  let rest = all;
  for await (const _ of attemptsOf(retry)) {
    rest = await step(rest);
    if (rest.length === 0) return;
  }
  throw new AwsThrottledError(
    `Table ${table} is throttled: it left ${rest.length} items of a batch unprocessed in ${retry.attempts} ` +
      "attempts. Try again later. If it persists, check the table's throttling metrics.",
  );
}
