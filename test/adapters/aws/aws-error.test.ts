import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueUrlCommand, SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { awsError } from "../../../src/adapters/aws/aws-error.ts";
import { failure, type ScriptedAnswer, scripted } from "../../support/aws/scripted-answers.ts";

/** What DynamoDB's client throws at such an answer, named. */
async function dynamoError(answer: ScriptedAnswer | Error): Promise<unknown> {
  const client = new DynamoDBClient(scripted([answer]).config);
  const request = client.send(new GetItemCommand({ TableName: "jobs", Key: { pk: { S: "a" } } }));
  return awsError("Table jobs", await request.catch((cause: unknown) => cause));
}

/** What the SDK says where it finds no credentials. */
const credentials = () =>
  Promise.reject(
    Object.assign(new Error("Could not load credentials from any providers"), { name: "CredentialsProviderError" }),
  );
const SKEWED = "Signature expired: 20261121T080000Z is now earlier than 20261121T081000Z (20261121T081500Z - 5 min.)";

describe("an error of DynamoDB", () => {
  it.each<[string, ScriptedAnswer | Error, string, RegExp]>([
    [
      "a missing table",
      failure("ResourceNotFoundException", "Requested resource not found"),
      "AwsResourceMissingError",
      /Table jobs does not exist.*AWS_REGION.*deploy/,
    ],
    [
      "a denial by a policy",
      failure("AccessDeniedException", "not authorized to perform: dynamodb:GetItem"),
      "AwsAccessDeniedError",
      /get-caller-identity.*dynamodb:GetItem/,
    ],
    [
      "expired credentials",
      failure("ExpiredTokenException", "The security token included in the request is expired"),
      "AwsCredentialsError",
      /Sign in again/,
    ],
    [
      "unknown credentials",
      failure("UnrecognizedClientException", "The security token is invalid"),
      "AwsCredentialsError",
      /AWS_ACCESS_KEY_ID/,
    ],
    [
      "a wrong clock",
      failure("InvalidSignatureException", SKEWED),
      "AwsClockSkewError",
      /this machine's clock is wrong/,
    ],
    [
      "too many requests for a partition",
      failure("ProvisionedThroughputExceededException", "exceeded"),
      "AwsThrottledError",
      /Try again later/,
    ],
    [
      "too many requests for an account",
      failure("ThrottlingException", "Rate exceeded"),
      "AwsThrottledError",
      /raise its limit/,
    ],
    ["an internal failure", failure("InternalServerError", "internal", 500), "AwsUnavailableError", /Try again/],
    ["an unnamed failure", { status: 503, body: {} }, "AwsUnavailableError", /Try again/],
    [
      "an invalid request",
      failure("ValidationException", "One or more parameter values were invalid"),
      "AwsRequestRefusedError",
      /rejected the request/,
    ],
    [
      "an unreachable endpoint",
      Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:4566"), { code: "ECONNREFUSED" }),
      "AwsUnavailableError",
      /AWS_ENDPOINT_URL/,
    ],
    [
      "a timeout",
      Object.assign(new Error("timed out"), { name: "TimeoutError" }),
      "AwsUnavailableError",
      /cannot be reached/,
    ],
  ])("is a named error: %s", async (_, answer, name, sentence) => {
    const error = await dynamoError(answer);
    expect(error).toMatchObject({ name, message: expect.stringMatching(sentence) as string });
    expect(error).toHaveProperty("cause");
  });

  it("is a named error before any request if there is no region or no credentials", async () => {
    const { requestHandler } = scripted([]).config;
    const nobody = new DynamoDBClient({ region: "eu-central-1", credentials, requestHandler });
    const request = nobody.send(new GetItemCommand({ TableName: "jobs", Key: {} }));
    expect(awsError("Table jobs", await request.catch((cause: unknown) => cause))).toMatchObject({
      name: "AwsCredentialsError",
    });
    expect(awsError("Table jobs", new Error("Region is missing"))).toMatchObject({
      name: "AwsSettingsError",
      message: expect.stringMatching(/Set AWS_REGION/) as string,
    });
  });
});

describe("an error of SQS", () => {
  it("is also recognized by its old code", async () => {
    const headers = { "x-amzn-query-error": "AWS.SimpleQueueService.NonExistentQueue;Sender" };
    const { status, body } = failure("QueueDoesNotExist", "The specified queue does not exist.");
    const client = new SQSClient(scripted([{ status, body, headers }]).config);
    const cause: unknown = await client
      .send(new GetQueueUrlCommand({ QueueName: "q" }))
      .catch((error: unknown) => error);
    expect(awsError("Queue q", cause)).toMatchObject({ name: "AwsResourceMissingError" });
  });
});

describe("an error that is not from AWS", () => {
  it.each([[new TypeError("a program error")], ["text"], [undefined]])("stays as it is: %s", (cause) => {
    expect(awsError("Table jobs", cause)).toBe(cause);
  });

  it("is returned unchanged", () => {
    const named = awsError("Table jobs", Object.assign(new Error("no"), { name: "ThrottlingException" }));
    expect(awsError("Table other", named)).toBe(named);
  });
});
