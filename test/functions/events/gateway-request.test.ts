import { describe, expect, it } from "vitest";
import { requestOf } from "../../../functions/events/gateway-request.ts";
import { gatewayEvent } from "../../support/aws/gateway-event.ts";

describe("a request through API Gateway", () => {
  it.each([
    ["encoded, as from REST APIs and LocalStack", "/v1/a%20b/%C3%A9/100%25"],
    ["decoded, as from MiniStack", "/v1/a b/é/100%"],
  ])("has the requested path if the path of the event is %s", (_, path) => {
    expect(new URL(requestOf(gatewayEvent({ path })).url).pathname).toBe("/v1/a%20b/%C3%A9/100%25");
  });

  it("has no query or fragment from the characters of a path", () => {
    const { pathname, search, hash } = new URL(requestOf(gatewayEvent({ path: "/v1/jobs?limit=1#x" })).url);
    expect([pathname, search, hash]).toEqual(["/v1/jobs%3Flimit=1%23x", "", ""]);
  });

  it("has every value of a repeated parameter", () => {
    const event = gatewayEvent({
      queryStringParameters: { state: "Failed" },
      multiValueQueryStringParameters: { state: ["Running", "Failed"], labelSelector: ["a=b,c in (d&e)"] },
    });
    expect([...new URL(requestOf(event).url).searchParams]).toEqual([
      ["state", "Running"],
      ["state", "Failed"],
      ["labelSelector", "a=b,c in (d&e)"],
    ]);
  });

  it("has the parameters of the single-value map if there is no other", () => {
    const event = gatewayEvent({ queryStringParameters: { limit: "5" }, multiValueQueryStringParameters: null });
    expect(new URL(requestOf(event).url).search).toBe("?limit=5");
  });

  it.each([
    ["as text", "{}", false, "2"],
    ["in base64", Buffer.from("hello").toString("base64"), true, "5"],
    ["that is missing", null, false, null],
  ])("has the length of a body %s", (_, body, isBase64Encoded, length) => {
    const event = gatewayEvent({ body, isBase64Encoded, headers: { "Content-Length": "77" }, multiValueHeaders: {} });
    expect(requestOf(event).headers.get("content-length")).toBe(length);
  });

  it("has every value of a repeated header once", () => {
    const event = gatewayEvent({
      headers: { Authorization: "Bearer one" },
      multiValueHeaders: { Authorization: ["Bearer one"], Accept: ["a/b", "c/d"] },
    });
    expect([...requestOf(event).headers]).toEqual([
      ["accept", "a/b, c/d"],
      ["authorization", "Bearer one"],
    ]);
  });
});
