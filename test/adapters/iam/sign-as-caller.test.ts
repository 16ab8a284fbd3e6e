import { IAMClient } from "@aws-sdk/client-iam";
import { describe, expect, it } from "vitest";
import { isExecuteApi, signAsCaller } from "../../../src/adapters/iam/sign-as-caller.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const client = new IAMClient({
  region: "us-east-1",
  credentials: { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: "TOK" },
});

describe("a signed request", () => {
  it.each([
    ["https://abc.execute-api.eu-central-1.amazonaws.com/live/v1/jobs", "eu-central-1"],
    ["https://abc-vpce-0123.execute-api.ap-south-1.amazonaws.com/live", "ap-south-1"],
    ["https://abc.execute-api.cn-north-1.amazonaws.com.cn/live", "cn-north-1"],
    ["https://jobs.example.org/v1/jobs", "us-east-1"],
  ])("is for the region of the address, or else of the client: %s", async (address, region) => {
    const { headers } = await signAsCaller(client, new URL(address), () => NOON);
    expect(headers["authorization"]).toContain(`Credential=AK/20261121/${region}/execute-api/aws4_request`);
    expect(headers).toMatchObject({ "x-amz-date": "20261121T120000Z", "x-amz-security-token": "TOK" });
  });

  it("has the same query as its signature", async () => {
    const asked = new URL("https://abc.execute-api.eu-central-1.amazonaws.com/live/v1/clusters/a%20b/jobs");
    const query = [
      ["labelSelector", "a=b,c in (d&e)"],
      ["state", "Failed"],
      ["state", "Complete"],
      ["cursor", "é+/=~*'"],
    ] as const;
    for (const [name, value] of query) asked.searchParams.append(name, value);
    const { url } = await signAsCaller(client, asked, () => NOON);
    expect([...url.searchParams]).toEqual(query);
    expect(url.pathname).toBe(asked.pathname);
    expect(url.search).not.toMatch(/[+!'()*]/);
  });

  it.each([
    ["https://abc.execute-api.eu-central-1.amazonaws.com/live/", true],
    ["https://abc.execute-api.eu-central-1.amazonaws.com.example.org/live/", false],
    ["https://execute-api.example.org/", false],
  ])("can be signed automatically at %s: %s", (address, is) => {
    expect(isExecuteApi(new URL(address))).toBe(is);
  });

  it("fails with the missing setting if there are no credentials", async () => {
    const nobody = new IAMClient({
      region: "us-east-1",
      credentials: async () => {
        throw Object.assign(new Error("Could not load credentials from any providers"), {
          name: "CredentialsProviderError",
        });
      },
    });
    await expect(signAsCaller(nobody, new URL("https://jobs.example.org/"), () => NOON)).rejects.toThrow(
      /^The API at https:\/\/jobs.example.org: the credentials are missing, expired/,
    );
  });
});
