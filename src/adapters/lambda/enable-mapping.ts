import { type LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { awsError } from "../aws/aws-error.ts";

/**
 * Lets an event source invoke its function, or stops it. It takes effect within seconds; until then, Lambda accepts no
 * other change (`busy`). Throws an AwsError.
 */
export async function enableMapping(client: LambdaClient, UUID: string, Enabled: boolean): Promise<"changed" | "busy"> {
  try {
    await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    return "changed";
  } catch (cause) {
    if (cause instanceof Error && cause.name === "ResourceInUseException") return "busy";
    throw awsError(`Event source mapping ${UUID}`, cause);
  }
}
