import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { awsError } from "../aws/aws-error.ts";

const COUNTS = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;

/** The number of messages in a queue, including received ones that are not deleted yet. Throws an AwsError. */
export async function queueDepth(client: SQSClient, queueUrl: string): Promise<number> {
  try {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...COUNTS] });
    const { Attributes = {} } = await client.send(command);
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  } catch (cause) {
    throw awsError(`Queue ${queueUrl}`, cause);
  }
}
