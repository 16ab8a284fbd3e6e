import type { GatewayEvent } from "../../../functions/events/gateway-event.ts";

/** An event of a REST API with Lambda proxy integration. The given fields replace those of a plain GET. */
export function gatewayEvent({
  caller = null,
  ...given
}: Partial<GatewayEvent> & { readonly caller?: string | null } = {}) {
  return {
    resource: "/{proxy+}",
    path: "/v1/jobs",
    httpMethod: "GET",
    headers: { Host: "abc123.execute-api.eu-central-1.amazonaws.com" },
    multiValueHeaders: { Host: ["abc123.execute-api.eu-central-1.amazonaws.com"] },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { proxy: "v1/jobs" },
    stageVariables: null,
    requestContext: {
      resourceId: "xyz",
      apiId: "abc123",
      resourcePath: "/{proxy+}",
      httpMethod: "GET",
      path: "/dev/v1/jobs",
      accountId: "123456789012",
      protocol: "HTTP/1.1",
      stage: "dev",
      requestId: "11111111-2222-3333-4444-555555555555",
      requestTimeEpoch: 1_795_262_400_000,
      identity: { sourceIp: "192.0.2.1", userAgent: "curl/8", caller, userArn: null, accountId: null },
      authorizer: null,
    },
    body: null,
    isBase64Encoded: false,
    ...given,
  };
}
