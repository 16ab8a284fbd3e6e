import { LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invokeFunction } from "../../../src/adapters/lambda/invoke-function.ts";
import { ScriptedAws } from "../../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let client: LambdaClient;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  client = new LambdaClient(aws.settings);
});
afterAll(() => aws.stop());

describe("an invoked function", () => {
  it("receives the event and returns its response", async () => {
    aws.answer = { status: 200, body: '{"outcomes":[]}' };
    expect(await invokeFunction(client, "ingest", { redrive: [] })).toEqual({ outcomes: [] });
    expect(aws.requests.at(-1)).toBe('{"redrive":[]}');
  });

  it("causes an error with its message if it fails", async () => {
    aws.answer = { status: 200, headers: { "x-amz-function-error": "Unhandled" }, body: '{"errorMessage":"no table"}' };
    await expect(invokeFunction(client, "ingest", {})).rejects.toMatchObject({
      name: "FunctionFailedError",
      message: expect.stringContaining("no table") as string,
    });
  });

  it.each([
    ["is missing", 404, "ResourceNotFoundException", "AwsResourceMissingError"],
    ["cannot be invoked", 403, "AccessDeniedException", "AwsAccessDeniedError"],
    ["is throttled", 429, "TooManyRequestsException", "AwsThrottledError"],
    ["is unavailable", 500, "ServiceException", "AwsUnavailableError"],
  ])("causes a named error if it %s", async (_, status, code, name) => {
    aws.answer = { status, headers: { "x-amzn-errortype": code }, body: '{"message":"said"}' };
    await expect(invokeFunction(client, "ingest", {})).rejects.toMatchObject({ name });
  });

  it("returns undefined if it has no response", async () => {
    aws.answer = { status: 200, body: "" };
    expect(await invokeFunction(client, "ingest", {})).toBeUndefined();
  });
});
