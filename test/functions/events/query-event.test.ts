import { describe, expect, it } from "vitest";
import { onRequest } from "../../../functions/events/query-event.ts";
import { gatewayEvent } from "../../support/aws/gateway-event.ts";

describe("the signer of a request", () => {
  const { requestContext: _, ...noContext } = gatewayEvent();
  const answerer = { fetch: (__: Request, environment: object) => Response.json(environment) };

  it("is the caller that API Gateway authenticated", async () => {
    const { body } = await onRequest(answerer, gatewayEvent({ caller: "AROAEXAMPLE:session" }));
    expect(JSON.parse(body)).toEqual({ iamCaller: "AROAEXAMPLE:session" });
  });

  it.each([
    ["API Gateway names no caller", gatewayEvent({ caller: null })],
    ["the event has no context", noContext],
    ["the event's context has no identity", gatewayEvent({ requestContext: {} })],
  ])("is unknown if %s, for any header", async (_, event) => {
    const { body } = await onRequest(answerer, { ...event, headers: { iamCaller: "AROAEXAMPLE" } });
    expect(JSON.parse(body)).toEqual({});
  });
});
