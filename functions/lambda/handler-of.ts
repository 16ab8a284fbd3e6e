import compose, { type Request } from "@middy/core";
import type { Context } from "aws-lambda";
import type { FunctionRuntime } from "./function-runtime.ts";

/** The function that Lambda calls. */
export type LambdaHandler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/**
 * A Lambda handler that sets the request id of log lines, always prints the counters, and logs an error once before it
 * rethrows it.
 */
export function handlerOf<Event, Result>(
  { logger, beginRequest, publishCounts }: FunctionRuntime,
  handle: LambdaHandler<Event, Result>,
): LambdaHandler<Event, Result> {
  const handler = compose<Event, Result>()
    .before(({ context }: Request<Event, Result>) => beginRequest(context.awsRequestId))
    .after(publishCounts)
    .onError(({ error }: Request<Event, Result>) => {
      logger.error(error?.message ?? "The function failed.", { error });
      publishCounts();
    })
    .handler(handle);
  return (event, context) => handler(event, context);
}
