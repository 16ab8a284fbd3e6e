import type { APIGatewayProxyResult } from "aws-lambda";
import type { ApiEnvironment } from "../../src/http/create-api.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import { requestOf } from "./gateway-request.ts";
import { resultOf } from "./gateway-response.ts";

/** What answers requests: the API, or the page. */
export interface Answerer {
  fetch(request: Request, environment: ApiEnvironment): Response | Promise<Response>;
}

/** A request that came through an API Gateway REST API. Who signed it is what API Gateway says, and nothing that a header could say. */
export async function onRequest(answerer: Answerer, event: GatewayEvent): Promise<APIGatewayProxyResult> {
  const iamCaller = event.requestContext?.identity?.caller ?? undefined;
  return resultOf(await answerer.fetch(requestOf(event), { iamCaller }));
}
