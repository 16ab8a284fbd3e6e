import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { KubeStatus } from "./kube-status.ts";

/** Sends an error as kube-apiserver does. */
export function respondStatus(context: Context, status: KubeStatus): Response {
  if (status.code === 401) context.header("www-authenticate", 'Bearer realm="outlive"');
  if (status.code === 429) context.header("retry-after", "1");
  return context.body(JSON.stringify(status), {
    // Every status of CODES may have a body. Hono's type lists these statuses; the type here is number.
    status: status.code as ContentfulStatusCode,
    headers: { "content-type": "application/json" },
  });
}
