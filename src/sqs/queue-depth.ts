import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { awsError } from "../aws/aws-error.ts";

const COUNTS = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;

/** The messages in a queue, also those that somebody has received and not deleted. Throws an AwsError. */
export async function queueDepth(client: SQSClient, queueUrl: string): Promise<number> {
  try {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...COUNTS] });
    const { Attributes = {} } = await client.send(command);
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  } catch (cause) {
    throw awsError(`Queue ${queueUrl}`, cause);
  }
}
