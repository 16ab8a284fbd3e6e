import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { isProblem } from "../contract/problem.ts";
import { warningsOf } from "../contract/warnings.ts";
import type { SharedServer } from "../optional-api.ts";
import { foreignOrigin } from "../read-body.ts";
import { respondProblem } from "../respond.ts";
import type { Reply } from "./ask.ts";
import { createMcpServer } from "./mcp-server.ts";

/** The arguments of a call are names and times. */
const MAX_BODY_BYTES = 64 * 1024;

/** Answers one message of an agent, for what its reader may see. There are no sessions. */
export async function serveMcp(context: Context, server: SharedServer): Promise<Response> {
  const admission = await server.admit(context);
  if (admission.outcome === "refused") return respondProblem(context, admission.problem);
  const foreign = foreignOrigin(context.req.raw.headers);
  if (foreign !== undefined) return respondProblem(context, foreign);
  const opened = server.open(context, admission.reader);
  if (opened.outcome === "refused") return respondProblem(context, opened.problem);
  const { answer } = opened;
  const ask = async (path: string): Promise<Reply> => replyOf(await server.get(context, path));
  const tools = { ask, now: server.clock, onError: server.onError, page: addressOf(context) };
  const handler = createMcpHandler(() => createMcpServer(tools, server.version), {
    maxRequestBodySize: MAX_BODY_BYTES,
    // The list of tools never changes, and a Lambda function cannot stream.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  return answer.build(() => answer.byRequests(() => handler.fetch(context.req.raw)));
}

async function replyOf(response: Response): Promise<Reply> {
  const body: unknown = await response.json();
  if (response.ok) return { outcome: "answered", answer: body, warnings: warningsOf(response.headers) };
  if (isProblem(body)) return { outcome: "refused", problem: body };
  throw new Error(`The API answered ${response.status} without a problem.`);
}

const HOST = /^[\w.[\]:-]{1,255}$/;

/** The address at which the client reached this server: the page is there. A proxy sends the scheme. */
function addressOf(context: Context): string | undefined {
  const { address } = (context.env ?? {}) as { readonly address?: string };
  if (address !== undefined) return address;
  const host = context.req.header("host");
  if (host === undefined || !HOST.test(host)) return undefined;
  const forwarded = context.req.header("x-forwarded-proto");
  const scheme = forwarded === "https" || new URL(context.req.url).protocol === "https:" ? "https" : "http";
  return `${scheme}://${host}`;
}
