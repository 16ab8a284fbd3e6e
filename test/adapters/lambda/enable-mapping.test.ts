import { LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enableMapping } from "../../../src/adapters/lambda/enable-mapping.ts";
import { ScriptedAws } from "../../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let client: LambdaClient;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  client = new LambdaClient(aws.settings);
});
afterAll(() => aws.stop());

describe("the mapping of an event source", () => {
  it.each([true, false])("is changed (enabled: %s)", async (isEnabled) => {
    aws.answer = { status: 202, body: "{}" };
    expect(await enableMapping(client, "a-b", isEnabled)).toBe("changed");
    expect(JSON.parse(aws.requests.at(-1) ?? "")).toMatchObject({ Enabled: isEnabled });
  });

  it("is busy while another change takes effect", async () => {
    const headers = { "x-amzn-errortype": "ResourceInUseException" };
    aws.answer = { status: 400, headers, body: '{"message":"being updated"}' };
    expect(await enableMapping(client, "a-b", false)).toBe("busy");
  });

  it("causes a named error if it is missing", async () => {
    const headers = { "x-amzn-errortype": "ResourceNotFoundException" };
    aws.answer = { status: 404, headers, body: '{"message":"none"}' };
    await expect(enableMapping(client, "a-b", false)).rejects.toMatchObject({ name: "AwsResourceMissingError" });
  });
});
