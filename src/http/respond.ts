import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PROBLEM_MEDIA_TYPE, type Problem } from "./contract/problem.ts";
import type { Reply } from "./contract/route.ts";
import type { BodyAndHeaders, OpenAnswer } from "./open-answer.ts";

/** Sends what a route replied. */
export async function respond(context: Context, reply: Reply, answer: OpenAnswer): Promise<Response> {
  if ("problem" in reply) return respondProblem(context, reply.problem);
  if ("body" in reply) return respondText(context, answer.bodyOf(JSON.stringify(reply.body)), JSON_MEDIA_TYPE);
  if ("text" in reply) return respondText(context, answer.bodyOf(reply.text), reply.mediaType);
  if ("parts" in reply) return respondText(context, await answer.bodyOfParts(reply.parts), JSON_MEDIA_TYPE);
  // Without this header, nginx and other proxies buffer a stream.
  return context.body(reply.stream.body, { headers: { "content-type": reply.mediaType, "x-accel-buffering": "no" } });
}

const JSON_MEDIA_TYPE = "application/json";

export function respondText(context: Context, { body, headers }: BodyAndHeaders, mediaType: string): Response {
  return context.body(body, { headers: { ...headers, "content-type": mediaType } });
}

export function respondProblem(context: Context, { ...body }: Problem): Response {
  if (body.status === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  return context.body(JSON.stringify(body), {
    // Every status of a problem may have a body. Hono's type lists these statuses; the problem's type is number.
    status: body.status as ContentfulStatusCode,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}
