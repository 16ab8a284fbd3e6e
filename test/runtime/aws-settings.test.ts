import { describe, expect, it } from "vitest";
import { readAwsSettings } from "../../src/runtime/aws-settings.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "AK", AWS_SECRET_ACCESS_KEY: "SK" };
const credentials = { accessKeyId: "AK", secretAccessKey: "SK", sessionToken: undefined };

describe("where and as whom AWS is asked", () => {
  it("is what Lambda sets", () => {
    expect(readAwsSettings({ ...KEYS, AWS_SESSION_TOKEN: "TOK", AWS_REGION: "eu-central-1" })).toEqual({
      region: "eu-central-1",
      credentials: { ...credentials, sessionToken: "TOK" },
      dynamoEndpoint: undefined,
    });
  });

  it.each([
    ["an emulator of all", { AWS_ENDPOINT_URL: "http://all" }, "http://all"],
    [
      "one of DynamoDB alone, before it",
      { AWS_ENDPOINT_URL: "http://all", AWS_ENDPOINT_URL_DYNAMODB: "http://one" },
      "http://one",
    ],
    ["AWS where a variable is set to nothing", { AWS_ENDPOINT_URL: "" }, undefined],
  ])("is %s", (_, environment, dynamoEndpoint) => {
    expect(readAwsSettings(environment).dynamoEndpoint).toBe(dynamoEndpoint);
  });

  it.each([
    ["a key without its secret", { AWS_ACCESS_KEY_ID: "AK" }],
    ["a key that is set to nothing", { ...KEYS, AWS_ACCESS_KEY_ID: "" }],
    ["nothing", {}],
  ])("are no credentials: %s", (_, environment) => {
    expect(readAwsSettings(environment).credentials).toBeUndefined();
  });
});
