import { SNSClient } from "@aws-sdk/client-sns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TopicMessage } from "../../../src/ports/message-sender.ts";
import { createTopicSender } from "../../../src/adapters/sns/publish-message.ts";
import { queryError, ScriptedAws } from "../../support/aws/scripted-aws.ts";

const TOPIC = "arn:aws:sns:eu-central-1:123456789012:batch";
const MESSAGE: TopicMessage = {
  kind: "sns",
  topic: TOPIC,
  subject: "[Outlive] Failed",
  body: "text",
  attributes: { kind: "opened" },
  group: "east/u1",
  identity: "u1/1/r/mail",
};

let aws: ScriptedAws;
beforeAll(async () => {
  aws = await ScriptedAws.start();
});
afterAll(() => aws.stop());

async function publish(message: TopicMessage) {
  const result = await createTopicSender(new SNSClient(aws.settings))(message);
  return { result, request: new URLSearchParams(aws.requests.at(-1)) };
}

function accept(): void {
  const body =
    '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>1</MessageId>' +
    "</PublishResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></PublishResponse>";
  aws.answer = { status: 200, headers: { "content-type": "text/xml" }, body };
}

describe("a message for a topic", () => {
  it("is published with its subject and attributes", async () => {
    accept();
    const { result, request } = await publish(MESSAGE);
    expect(result).toEqual({ outcome: "accepted", status: 200 });
    expect(Object.fromEntries(request)).toMatchObject({
      Action: "Publish",
      TopicArn: TOPIC,
      Subject: "[Outlive] Failed",
      Message: "text",
      "MessageAttributes.entry.1.Name": "kind",
      "MessageAttributes.entry.1.Value.StringValue": "opened",
    });
    expect(request.has("MessageGroupId")).toBe(false);
  });

  it("has a group and an identity that a FIFO topic knows again", async () => {
    accept();
    const first = await publish({ ...MESSAGE, topic: `${TOPIC}.fifo` });
    const again = await publish({ ...MESSAGE, topic: `${TOPIC}.fifo` });
    const other = await publish({ ...MESSAGE, topic: `${TOPIC}.fifo`, identity: "u1/2/r/mail" });
    const [one, two, three] = [first, again, other].map(({ request }) => request.get("MessageDeduplicationId"));
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).toBe(one);
    expect(three).not.toBe(one);
    expect(other.request.get("MessageGroupId")).toBe(first.request.get("MessageGroupId"));
  });

  it("is sent again later if the topic is missing, and never if its content is invalid", async () => {
    aws.answer = queryError(404, "NotFound", "Topic does not exist");
    expect((await publish(MESSAGE)).result).toMatchObject({ outcome: "unreachable" });
    aws.answer = queryError(400, "InvalidParameter", "Invalid parameter: Subject");
    expect((await publish(MESSAGE)).result).toMatchObject({ outcome: "rejected", status: 400 });
  });
});
