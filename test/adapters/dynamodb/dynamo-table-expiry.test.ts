import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { createTableExpiry } from "../../../src/adapters/dynamodb/dynamo-table-expiry.ts";
import { failure, type Script, scripted, success } from "../../support/aws/scripted-answers.ts";

function expiryAnswering(...answers: readonly Script[]) {
  const { config, requests } = scripted(answers, { maxAttempts: 1 });
  return { expiry: createTableExpiry(new DynamoDBClient(config), { name: "log", attribute: "ttl" }), requests };
}

describe("the expiry of a table", () => {
  it.each([
    ["ENABLED", "on"],
    ["DISABLED", "off"],
    ["ENABLING", "changing"],
    ["DISABLING", "changing"],
  ])("that DynamoDB calls %s is %s", async (TimeToLiveStatus, status) => {
    const { expiry } = expiryAnswering(success({ TimeToLiveDescription: { TimeToLiveStatus } }));
    expect(await expiry.read()).toBe(status);
  });

  it("is set by the attribute of the table", async () => {
    const { expiry, requests } = expiryAnswering(success({}));
    expect(await expiry.set("off")).toBe("set");
    expect(requests).toEqual([{ TableName: "log", TimeToLiveSpecification: { Enabled: false, AttributeName: "ttl" } }]);
  });

  it("is not set again within an hour of the last change", async () => {
    const { expiry } = expiryAnswering(failure("ValidationException", "Time to live has been modified multiple times"));
    expect(await expiry.set("on")).toBe("refused");
  });

  it("names the table where access is denied", async () => {
    const { expiry } = expiryAnswering(failure("AccessDeniedException", "No."));
    await expect(expiry.read()).rejects.toThrow("Table log: access denied");
    await expect(expiry.set("on")).rejects.toThrow("Table log: access denied");
  });
});
