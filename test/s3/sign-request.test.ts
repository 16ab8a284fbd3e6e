import { describe, expect, it } from "vitest";
import { encodePath, signedHeaders } from "../../src/s3/sign-request.ts";

describe("a signed request", () => {
  it("has the signature of the example in the Amazon S3 API Reference", () => {
    const request = {
      method: "PUT",
      url: new URL(`https://examplebucket.s3.amazonaws.com/${encodePath("test$file.text")}`),
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: Buffer.from("Welcome to Amazon S3."),
    };
    const credentials = {
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    };
    const signed = signedHeaders(request, { region: "us-east-1", credentials, now: Date.UTC(2013, 4, 24) });
    expect(signed["authorization"]).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    );
  });

  it("has the signature that the SDK gives it, with a role's session token and a key of odd letters", () => {
    const request = {
      method: "PUT",
      url: new URL(`https://b.s3.eu-central-1.amazonaws.com/${encodePath("ab12#AROAX:y*z!")}`),
      headers: {},
      body: Buffer.from("hello"),
    };
    const credentials = { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" };
    const signed = signedHeaders(request, { region: "eu-central-1", credentials, now: 1_795_262_400_000 });
    expect(signed["authorization"]).toMatch(
      /Signature=d986a4d001279176e9ba06ec482a27ce06b6a34bcd9d13f25586a734f0339ebe$/,
    );
    expect(signed["x-amz-security-token"]).toBe("TOK");
  });
});
