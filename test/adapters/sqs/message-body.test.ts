import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeMessageBody, encodeMessageBody } from "../../../src/adapters/sqs/message-body.ts";

describe("the body of a message", () => {
  it("decodes to the same bytes, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const decoded = decodeMessageBody(encodeMessageBody(bytes));
        expect(decoded.outcome === "decoded" && Buffer.compare(decoded.bytes, bytes)).toBe(0);
      }),
    );
  });

  it("has characters that SQS accepts, and is a third longer than its bytes", () => {
    const body = encodeMessageBody(Uint8Array.from({ length: 46 * 1024 }, (_, index) => index % 256));
    expect(body).toMatch(/^[A-Za-z0-9+/=]+$/);
    expect(body.length).toBeLessThanOrEqual(64 * 1024);
  });

  it.each([
    ["nothing", ""],
    ["JSON", '{"Records":[]}'],
    ["truncated base64", "AAECA"],
    ["base64 with line breaks", "AAEC\nAwQF"],
    ["URL-safe base64", "-_-_"],
  ])("is not %s", (_, body) => {
    expect(decodeMessageBody(body)).toMatchObject({ outcome: "rejected" });
  });
});
