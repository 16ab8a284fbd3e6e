import { DescribeStacksCommand, CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { AwsResourceMissingError, awsError } from "../aws/aws-error.ts";
import { requestLimits } from "../aws/request-limits.ts";

/** The outputs of a stack, by name. Throws an AwsError. */
export async function readStackOutputs(
  client: CloudFormationClient,
  stack: string,
): Promise<ReadonlyMap<string, string>> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey, OutputValue }) => [OutputKey ?? "", OutputValue ?? ""]));
  } catch (cause) {
    throw isMissing(cause) ? missing(stack, cause) : awsError(`Stack ${stack}`, cause);
  }
}

/** CloudFormation has no separate error for a missing stack. */
function isMissing(cause: unknown): cause is Error {
  return cause instanceof Error && cause.name === "ValidationError" && cause.message.includes("does not exist");
}

function missing(stack: string, cause: Error): AwsResourceMissingError {
  return new AwsResourceMissingError(
    `There is no stack ${stack} in this account and region. Check its name (\`aws cloudformation list-stacks\`) ` +
      `and AWS_REGION, or deploy it. AWS said: ${cause.message}`,
    { cause },
  );
}

const REQUEST_MILLIS = 15_000;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createCloudFormationClient(): CloudFormationClient {
  return new CloudFormationClient({
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
