import type { APIGatewayProxyResult } from "aws-lambda";
import { answerPage } from "../../src/http/page/answer-page.ts";
import type { PageConfig } from "../../src/http/page/page-config.ts";
import type { PageFiles } from "../../src/http/page/page-files.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import { requestOf } from "./gateway-request.ts";
import { resultOf } from "./gateway-response.ts";

export interface Page {
  readonly files: PageFiles;
  readonly config: PageConfig;
}

/**
 * A file of the page. All are public, because they contain no data, and text, because API Gateway needs no setup for
 * text.
 */
export async function onPageRequest({ files, config }: Page, event: GatewayEvent): Promise<APIGatewayProxyResult> {
  const { pathname } = new URL(requestOf(event).url);
  const isRead = event.httpMethod === "GET" || event.httpMethod === "HEAD";
  const response = isRead ? answerPage(files, config, { path: pathname }) : undefined;
  return resultOf(response ?? new Response(NOTHING, { status: 404, headers: PLAIN }));
}

const NOTHING = "Not found. The page is at /, the API at /v1.\n";
const PLAIN = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
