import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStackOutputs } from "../../../src/adapters/cloudformation/stack-outputs.ts";
import { queryError, ScriptedAws } from "../../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let client: CloudFormationClient;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  client = new CloudFormationClient(aws.settings);
});
afterAll(() => aws.stop());

const DESCRIBED = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
<StackName>Outlive</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime>
<StackStatus>CREATE_COMPLETE</StackStatus><Outputs>
<member><OutputKey>QueueUrl</OutputKey><OutputValue>https://sqs/q</OutputValue></member>
<member><OutputKey>MetaTable</OutputKey><OutputValue>meta</OutputValue></member>
</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

describe("a stack", () => {
  it("has the addresses of its resources as outputs", async () => {
    aws.answer = { status: 200, headers: { "content-type": "text/xml" }, body: DESCRIBED };
    expect([...(await readStackOutputs(client, "Outlive"))]).toEqual([
      ["QueueUrl", "https://sqs/q"],
      ["MetaTable", "meta"],
    ]);
  });

  it("that is missing causes an error with its name", async () => {
    aws.answer = queryError(400, "ValidationError", "Stack with id Nothing does not exist");
    await expect(readStackOutputs(client, "Nothing")).rejects.toMatchObject({
      name: "AwsResourceMissingError",
      message: expect.stringContaining("There is no stack Nothing") as string,
    });
  });

  it("that cannot be described causes an error with the denied action", async () => {
    aws.answer = queryError(403, "AccessDenied", "User x is not authorized to perform: cloudformation:DescribeStacks");
    await expect(readStackOutputs(client, "Outlive")).rejects.toMatchObject({
      name: "AwsAccessDeniedError",
      message: expect.stringContaining("cloudformation:DescribeStacks") as string,
    });
  });
});
