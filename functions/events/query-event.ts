import type { APIGatewayProxyResult } from "aws-lambda";
import type { ApiEnvironment } from "../../src/http/create-api.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import { requestOf } from "./gateway-request.ts";
import { resultOf } from "./gateway-response.ts";

/** The API, as a Fetch handler. */
export interface Answerer {
  fetch(request: Request, environment: ApiEnvironment): Response | Promise<Response>;
}

/**
 * A request from an API Gateway REST API. The caller is the one that API Gateway authenticated; headers are not
 * trusted.
 */
export async function onRequest(answerer: Answerer, event: GatewayEvent): Promise<APIGatewayProxyResult> {
  const iamCaller = event.requestContext?.identity?.caller ?? undefined;
  return resultOf(await answerer.fetch(requestOf(event), { iamCaller, address: addressOf(event) }));
}

/** The address of the API, with its stage. */
function addressOf({ path, requestContext: { path: full = "", domainName } = {} }: GatewayEvent): string | undefined {
  if (domainName === undefined || !full.endsWith(path)) return undefined;
  return `https://${domainName}${full.slice(0, full.length - path.length)}`;
}
