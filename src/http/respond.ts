import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PROBLEM_MEDIA_TYPE, type Problem } from "./contract/problem.ts";
import type { Reply } from "./contract/route.ts";

/** Sends what a route replied. */
export function respond(context: Context, reply: Reply): Response {
  if ("problem" in reply) return respondProblem(context, reply.problem);
  if ("body" in reply) return context.json(reply.body);
  if ("text" in reply) return context.body(reply.text, { headers: { "content-type": reply.mediaType } });
  // Without this header, nginx and other proxies buffer a stream.
  return context.body(reply.stream.body, { headers: { "content-type": reply.mediaType, "x-accel-buffering": "no" } });
}

export function respondProblem(context: Context, { ...body }: Problem): Response {
  if (body.status === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  if (body.status === 429) context.header("retry-after", "1");
  return context.body(JSON.stringify(body), {
    // Every status of a problem may have a body. Hono's type lists these statuses; the problem's type is number.
    status: body.status as ContentfulStatusCode,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}
