import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeLogDelivery } from "../../../src/adapters/cloudwatch-logs/log-delivery.ts";
import { deliveryOf, subscriptionMessage } from "../../support/aws/log-delivery.ts";

const GROUP = "/aws/eks/prod-eu/cluster";
const dataOf = (message: unknown): string => deliveryOf(message).awslogs.data;
const reasonOf = (data: string): string => {
  const delivery = decodeLogDelivery(data);
  return delivery.outcome === "rejected" ? delivery.reason : delivery.outcome;
};

describe("a delivery of CloudWatch Logs", () => {
  it("has the log group and the text of each log event", () => {
    expect(decodeLogDelivery(dataOf(subscriptionMessage(GROUP, ["one", "two ∑"])))).toEqual({
      outcome: "events",
      logGroup: GROUP,
      messages: ["one", "two ∑"],
    });
  });

  it("may be a message that tests the destination", () => {
    const test = { ...subscriptionMessage(GROUP, ["CWL CONTROL MESSAGE: Checking health of destination"]) };
    expect(decodeLogDelivery(dataOf({ ...test, messageType: "CONTROL_MESSAGE" }))).toEqual({ outcome: "control" });
  });

  it.each<[string, string]>([
    ["text", Buffer.from("hello").toString("base64")],
    ["nothing", ""],
    ["not base64", "%%%"],
    ["cut off", dataOf(subscriptionMessage(GROUP, ["one"])).slice(0, 40)],
    ["what expands to more than 16 MiB", gzipSync(Buffer.alloc(16 * 1024 * 1024 + 1, " ")).toString("base64")],
  ])("is rejected where its data is %s", (_, data) => {
    expect(reasonOf(data)).toBe("The data is not gzip in base64 of at most 16777216 bytes.");
  });

  it.each<[string, unknown]>([
    ["no object", 7],
    ["of another type", { ...subscriptionMessage(GROUP, []), messageType: "OTHER" }],
    ["without a log group", { messageType: "DATA_MESSAGE", logEvents: [] }],
    ["with an event that has no text", { ...subscriptionMessage(GROUP, []), logEvents: [{ id: "1" }] }],
  ])("is rejected where its message is %s", (_, message) => {
    expect(reasonOf(dataOf(message))).toMatch(/^The data is no message of a subscription: .+\.$/);
  });

  it("is rejected where its message is not JSON", () => {
    expect(reasonOf(gzipSync("{").toString("base64"))).toContain("no message of a subscription");
  });
});
