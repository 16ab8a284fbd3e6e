import { GetParameterCommand, type SSMClient } from "@aws-sdk/client-ssm";
import * as v from "valibot";
import { outputsParameter } from "../../ports/deployment/parameter-names.ts";
import { AwsResourceMissingError, awsError } from "../aws/aws-error.ts";

const OUTPUTS = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** What a stage says of itself, by name. Throws an AwsError. */
export async function readStageOutputs(client: SSMClient, stage: string): Promise<ReadonlyMap<string, string>> {
  const name = outputsParameter(stage);
  const read = v.safeParse(OUTPUTS, await valueOf(client, name, stage));
  if (read.success) return new Map(Object.entries(read.output));
  throw new AwsResourceMissingError(`Parameter ${name} does not describe a stage of Outlive. Deploy the stage again.`);
}

async function valueOf(client: SSMClient, name: string, stage: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetParameterCommand({ Name: name }))).Parameter?.Value;
  } catch (cause) {
    throw isMissing(cause) ? missing(stage, cause) : awsError(`Parameter ${name}`, cause);
  }
}

function isMissing(cause: unknown): cause is Error {
  return cause instanceof Error && cause.name === "ParameterNotFound";
}

function missing(stage: string, cause: Error): AwsResourceMissingError {
  return new AwsResourceMissingError(
    `There is no stage ${stage} in this account and region. Check its name (\`aws ssm describe-parameters ` +
      "--parameter-filters Key=Name,Option=BeginsWith,Values=/outlive/`) and AWS_REGION, or deploy it.",
    { cause },
  );
}
