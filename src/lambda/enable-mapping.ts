import { type LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { awsError } from "../aws/aws-error.ts";

/** Lets an event source invoke its function, or stops it. It takes effect within seconds. Throws an AwsError. */
export async function enableMapping(client: LambdaClient, UUID: string, Enabled: boolean): Promise<void> {
  try {
    await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  } catch (cause) {
    throw awsError(`Event source mapping ${UUID}`, cause);
  }
}
