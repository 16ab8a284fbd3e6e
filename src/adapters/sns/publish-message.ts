import { createHash } from "node:crypto";
import { PublishCommand, SNSClient } from "@aws-sdk/client-sns";
import { requestLimits } from "../aws/request-limits.ts";
import { unsentBecause } from "../aws/unsent-message.ts";
import type { SendOf, TopicMessage } from "../../ports/message-sender.ts";

const REQUEST_MILLIS = 5_000;
/** The caller tries again for a day. */
const ATTEMPTS = 2;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createSnsClient(): SNSClient {
  return new SNSClient({ maxAttempts: ATTEMPTS, requestHandler: requestLimits(REQUEST_MILLIS) });
}

/** Publishes messages. A FIFO topic delivers a message that is repeated within five minutes once. */
export function createTopicSender(client: SNSClient): SendOf<TopicMessage> {
  return async ({ topic, subject, body, attributes, group, identity }) => {
    const named = Object.entries(attributes).map(
      ([name, value]) => [name, { DataType: "String", StringValue: value }] as const,
    );
    const fifo = { MessageGroupId: digest(group), MessageDeduplicationId: digest(identity) };
    try {
      await client.send(
        new PublishCommand({
          TopicArn: topic,
          Message: body,
          MessageAttributes: Object.fromEntries(named),
          ...(subject !== undefined && { Subject: subject }),
          ...(topic.endsWith(".fifo") && fifo),
        }),
      );
      return { outcome: "accepted", status: 200 };
    } catch (cause) {
      return unsentBecause(cause);
    }
  };
}

/** At most 128 letters, digits and punctuation characters (SNS API, Publish). */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
