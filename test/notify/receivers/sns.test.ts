import { describe, expect, it } from "vitest";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { ComposedBy } from "../../support/notify/opened-receiver.ts";

const TOPIC = "arn:aws:sns:eu-central-1:123456789012:batch";
const sns = new ComposedBy({ sns: { topic: TOPIC } });
const CLUSTER = { kind: "Cluster", cluster: "prod-eu", namespace: "", name: "prod-eu", uid: "prod-eu" };

describe("a message for an SNS topic", () => {
  it("is the CloudEvent, with attributes for the filters of subscriptions", () => {
    const message = sns.message("sns", [notificationExample()]);
    expect(JSON.parse(message.body)).toMatchObject({ specversion: "1.0", id: "u1/1/failures/hook" });
    expect(message).toMatchObject({
      topic: TOPIC,
      group: "prod-eu/u1",
      identity: "u1/1/failures/hook",
      attributes: {
        key: "u1/1/failures/hook",
        kind: "opened",
        rule: "failures",
        cluster: "prod-eu",
        namespace: "payments",
        state: "Failed",
        subjectKind: "Job",
      },
    });
  });

  it("has no attribute without a value, which SNS would refuse", () => {
    const { state: _, ...silent } = notificationExample({ subject: CLUSTER });
    expect(Object.keys(sns.message("sns", [silent]).attributes)).not.toContain("namespace");
    expect(Object.values(sns.message("sns", [silent]).attributes)).not.toContain("");
  });
});
