import { describe, expect, it } from "vitest";
import { gatewayRefusal } from "../../../src/host/client/gateway-refusal.ts";

describe("an error of API Gateway", () => {
  it.each([
    [403, "Missing Authentication Token", /requires an AWS signature, or the path does not exist/],
    [403, "Authorization header requires 'Credential' parameter.", /signature instead of a token/],
    [403, "User: arn:aws:iam::1:user/a is not authorized to perform: execute-api:Invoke", /lack execute-api:Invoke/],
    [403, "The security token included in the request is expired", /Sign in to AWS again/],
    [403, "The security token included in the request is invalid.", /get-caller-identity/],
    [403, "The request signature we calculated does not match", /get-caller-identity/],
    [403, "Signature expired: 20261122T120000Z", /Set this machine's clock/],
    [403, "Forbidden", /Set --api-key/],
    [429, "Too Many Requests", /Retry in a moment/],
    [504, "Endpoint request timed out", /at most 29 seconds/],
    [500, "Internal server error", /Read its log/],
  ])("%d %s comes with advice", (status, message, advice) => {
    const text = gatewayRefusal("https://api", status, { message });
    expect(text).toMatch(advice);
    expect(text?.startsWith(`https://api answered ${status} (${message}). `)).toBe(true);
  });

  it("is recognized in the form of IAM, too", () => {
    expect(gatewayRefusal("https://api", 403, { Message: "Forbidden" })).toMatch(/--api-key/);
  });

  it.each([[undefined], ["Forbidden"], [null], [{ message: 7 }], [{ message: "Forbidden by the proxy" }]])(
    "is not seen in %j",
    (body) => {
      expect(gatewayRefusal("https://api", 403, body)).toBeUndefined();
    },
  );
});
