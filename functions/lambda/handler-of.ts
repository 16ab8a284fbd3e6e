import compose, { type Request } from "@middy/core";
import type { Context } from "aws-lambda";
import type { FunctionRuntime } from "./function-runtime.ts";

/** What Lambda calls. */
export type LambdaHandler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** A Lambda handler: log lines carry the request's id, counts are printed whatever happens, and an error is logged once, here, before Lambda has it. */
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
