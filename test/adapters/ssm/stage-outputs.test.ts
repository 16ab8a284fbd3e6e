import { SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStageOutputs } from "../../../src/adapters/ssm/stage-outputs.ts";
import { jsonAnswer, jsonError, ScriptedAws } from "../../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let client: SSMClient;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  client = new SSMClient(aws.settings);
});
afterAll(() => aws.stop());

describe("a stage", () => {
  it("has the addresses of its resources in a parameter", async () => {
    aws.answer = jsonAnswer({ Parameter: { Value: '{"QueueUrl":"https://sqs/q","MetaTable":"meta"}' } });
    expect([...(await readStageOutputs(client, "live"))]).toEqual([
      ["QueueUrl", "https://sqs/q"],
      ["MetaTable", "meta"],
    ]);
    expect(JSON.parse(aws.requests.at(-1) ?? "")).toEqual({ Name: "/outlive/live/outputs" });
  });

  it("that is missing causes an error with its name, and how to find the others", async () => {
    aws.answer = jsonError(400, "ParameterNotFound", "");
    await expect(readStageOutputs(client, "nothing")).rejects.toMatchObject({
      name: "AwsResourceMissingError",
      message: expect.stringMatching(/There is no stage nothing.*describe-parameters/) as string,
    });
  });

  it("that may not be read causes an error with the denied action", async () => {
    aws.answer = jsonError(400, "AccessDeniedException", "User x is not authorized to perform: ssm:GetParameter");
    await expect(readStageOutputs(client, "live")).rejects.toMatchObject({
      name: "AwsAccessDeniedError",
      message: expect.stringContaining("ssm:GetParameter") as string,
    });
  });

  it("whose parameter has something else is refused", async () => {
    aws.answer = jsonAnswer({ Parameter: { Value: "https://sqs/q" } });
    await expect(readStageOutputs(client, "live")).rejects.toThrow("/outlive/live/outputs");
  });
});
