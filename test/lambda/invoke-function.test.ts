import { LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invokeFunction } from "../../src/lambda/invoke-function.ts";
import { ScriptedAws } from "../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let client: LambdaClient;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  client = new LambdaClient(aws.settings);
});
afterAll(() => aws.stop());

describe("a function that is called", () => {
  it("is given the event and answers", async () => {
    aws.answer = { status: 200, body: '{"outcomes":[]}' };
    expect(await invokeFunction(client, "ingest", { redrive: [] })).toEqual({ outcomes: [] });
    expect(aws.requests.at(-1)).toBe('{"redrive":[]}');
  });

  it("and fails is told with what it said", async () => {
    aws.answer = { status: 200, headers: { "x-amz-function-error": "Unhandled" }, body: '{"errorMessage":"no table"}' };
    await expect(invokeFunction(client, "ingest", {})).rejects.toMatchObject({
      name: "FunctionFailedError",
      message: expect.stringContaining("no table") as string,
    });
  });

  it.each([
    ["is not there", 404, "ResourceNotFoundException", "AwsResourceMissingError"],
    ["may not be called", 403, "AccessDeniedException", "AwsAccessDeniedError"],
    ["is called too often", 429, "TooManyRequestsException", "AwsThrottledError"],
    ["does not run now", 500, "ServiceException", "AwsUnavailableError"],
  ])("and %s ends in a sentence", async (_, status, code, name) => {
    aws.answer = { status, headers: { "x-amzn-errortype": code }, body: '{"message":"said"}' };
    await expect(invokeFunction(client, "ingest", {})).rejects.toMatchObject({ name });
  });

  it("answers nothing where it answers nothing", async () => {
    aws.answer = { status: 200, body: "" };
    expect(await invokeFunction(client, "ingest", {})).toBeUndefined();
  });
});
