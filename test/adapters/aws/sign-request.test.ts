import { describe, expect, it } from "vitest";
import { percentEncode } from "../../../src/adapters/aws/percent-encode.ts";
import { signedHeaders } from "../../../src/adapters/aws/sign-request.ts";

describe("a signed request", () => {
  it("has the signature of the example in the Amazon S3 API Reference", async () => {
    const request = {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
      headers: { range: "bytes=0-9" },
    };
    const credentials = {
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    };
    const signer = { service: "s3", region: "us-east-1", credentials, now: Date.UTC(2013, 4, 24) } as const;
    expect((await signedHeaders(request, signer))["authorization"]).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  it("includes the session token, and signs a path with reserved characters as S3 does", async () => {
    const request = {
      method: "PUT",
      url: new URL(`https://b.s3.eu-central-1.amazonaws.com/${percentEncode("ab12#AROAX:y*z!")}`),
      body: Buffer.from("hello"),
    };
    const credentials = { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" };
    const signer = { service: "s3", region: "eu-central-1", credentials, now: 1_795_262_400_000 } as const;
    const signed = await signedHeaders(request, signer);
    expect(signed["authorization"]).toMatch(
      /Signature=d986a4d001279176e9ba06ec482a27ce06b6a34bcd9d13f25586a734f0339ebe$/,
    );
    expect(signed["x-amz-security-token"]).toBe("TOK");
    expect(signed).not.toHaveProperty("host");
  });
});
