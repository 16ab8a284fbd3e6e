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

describe("the address of the API", () => {
  const answerer = { fetch: (_: Request, environment: object) => Response.json(environment) };
  const DOMAIN = "abc123.execute-api.eu-central-1.amazonaws.com";

  it.each([
    ["has its stage", { path: "/dev/v1/jobs", domainName: DOMAIN }, { address: `https://${DOMAIN}/dev` }],
    [
      "may be that of a domain without a stage",
      { path: "/v1/jobs", domainName: "a.example" },
      { address: "https://a.example" },
    ],
    ["is unknown if the event has another path", { path: "/dev/v1/other", domainName: DOMAIN }, {}],
    ["is unknown if the event has no domain", { path: "/dev/v1/jobs" }, {}],
  ])("%s", async (_, requestContext, environment) => {
    const { body } = await onRequest(answerer, gatewayEvent({ requestContext }));
    expect(JSON.parse(body)).toEqual(environment);
  });
});
