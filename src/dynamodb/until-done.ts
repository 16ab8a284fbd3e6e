import { AwsThrottledError } from "../aws/aws-error.ts";
import type { BackOff } from "../aws/back-off.ts";

/**
 * Repeats a batch with what DynamoDB left undone of it, waiting in between, until nothing is left. `step` does `rest` and answers what is left. Throws
 * AwsThrottledError where something is left after the last attempt.
 */
export async function untilDone<Rest>(
  table: string,
  all: readonly Rest[],
  { backOff, step }: { readonly backOff: BackOff; readonly step: (rest: readonly Rest[]) => Promise<readonly Rest[]> },
): Promise<void> {
  let rest = all;
  for (let attempt = 1; attempt <= backOff.attempts && rest.length > 0; attempt += 1) {
    if (attempt > 1) await backOff.pause(attempt);
    rest = await step(rest);
  }
  if (rest.length === 0) return;
  throw new AwsThrottledError(
    `Table ${table} left ${rest.length} items of a batch undone in each of ${backOff.attempts} attempts: it is throttled. Try again later; if it stays so, look at its throttling metrics.`,
  );
}
