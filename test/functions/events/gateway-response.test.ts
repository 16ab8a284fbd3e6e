import { describe, expect, it } from "vitest";
import { resultOf } from "../../../functions/events/gateway-response.ts";

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
  ])("%s: %i bytes, status %i", async (_, bytes, status) => {
    const result = await resultOf(new Response("x".repeat(bytes), { headers: { "cache-control": "no-store" } }));
    expect(result.statusCode).toBe(status);
    if (status === 400) expect(result.body).toContain("smaller `limit`");
    expect(result.headers?.["cache-control"]).toBe("no-store");
  });

  it("counts quotes as they are escaped in Lambda's JSON", async () => {
    expect(await resultOf(new Response('"'.repeat(3_200_000)))).toMatchObject({ statusCode: 400 });
    expect(await resultOf(new Response("x".repeat(3_200_000)))).toMatchObject({ statusCode: 200 });
  });
});
