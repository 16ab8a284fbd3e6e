import { describe, expect, it } from "vitest";
import { requestOf } from "../../functions/events/gateway-request.ts";
import { resultOf } from "../../functions/events/gateway-response.ts";
import { onRequest } from "../../functions/events/query-event.ts";
import { gatewayEvent } from "../support/aws/gateway-event.ts";

describe("a request through API Gateway", () => {
  it.each([
    ["still encoded, as REST APIs and LocalStack have it", "/v1/a%20b/%C3%A9/100%25"],
    ["decoded, as MiniStack has it", "/v1/a b/é/100%"],
  ])("has the path that was asked for where the event's is %s", (_, path) => {
    expect(new URL(requestOf(gatewayEvent({ path })).url).pathname).toBe("/v1/a%20b/%C3%A9/100%25");
  });

  it("keeps to its path what could begin a query or a fragment", () => {
    const { pathname, search, hash } = new URL(requestOf(gatewayEvent({ path: "/v1/jobs?limit=1#x" })).url);
    expect([pathname, search, hash]).toEqual(["/v1/jobs%3Flimit=1%23x", "", ""]);
  });

  it("has every value of a repeated parameter, whichever of them the single-value map holds", () => {
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

  it("has its parameters from the single-value map where there is no other", () => {
    const event = gatewayEvent({ queryStringParameters: { limit: "5" }, multiValueQueryStringParameters: null });
    expect(new URL(requestOf(event).url).search).toBe("?limit=5");
  });

  it.each([
    ["as text", "{}", false, "2"],
    ["in base64", Buffer.from("hello").toString("base64"), true, "5"],
    ["that is missing", null, false, null],
  ])("tells the length of a body %s", (_, body, isBase64Encoded, length) => {
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

describe("who signed a request", () => {
  const { requestContext: _, ...noContext } = gatewayEvent();
  const answerer = { fetch: (__: Request, environment: object) => Response.json(environment) };

  it("is whom API Gateway names", async () => {
    const { body } = await onRequest(answerer, gatewayEvent({ caller: "AROAEXAMPLE:session" }));
    expect(JSON.parse(body)).toEqual({ iamCaller: "AROAEXAMPLE:session" });
  });

  it.each([
    ["API Gateway names nobody", gatewayEvent({ caller: null })],
    ["the event has no context", noContext],
    ["the event's context has no identity", gatewayEvent({ requestContext: {} })],
  ])("is nobody where %s, whatever a header says", async (_, event) => {
    const { body } = await onRequest(answerer, { ...event, headers: { iamCaller: "AROAEXAMPLE" } });
    expect(JSON.parse(body)).toEqual({});
  });
});

describe("a response through API Gateway", () => {
  it("has status, headers and body", async () => {
    expect(
      await resultOf(Response.json({ a: "é" }, { status: 404, headers: { "cache-control": "no-store" } })),
    ).toEqual({
      statusCode: 404,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
      body: '{"a":"é"}',
      isBase64Encoded: false,
    });
  });

  it.each([
    ["of 6 MB less its frame", 6_291_556 - 16_384 - 2, 200],
    ["of one byte more", 6_291_556 - 16_384 - 1, 400],
  ])("%s is %i bytes and answers %i", async (_, bytes, status) => {
    const result = await resultOf(new Response("x".repeat(bytes), { headers: { "cache-control": "no-store" } }));
    expect(result.statusCode).toBe(status);
    if (status === 400) expect(result.body).toContain("smaller `limit`");
    expect(result.headers?.["cache-control"]).toBe("no-store");
  });

  it("counts the escaping of quotes in the JSON of Lambda", async () => {
    expect(await resultOf(new Response('"'.repeat(3_200_000)))).toMatchObject({ statusCode: 400 });
    expect(await resultOf(new Response("x".repeat(3_200_000)))).toMatchObject({ statusCode: 200 });
  });
});
