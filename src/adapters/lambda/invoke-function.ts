import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { awsError } from "../aws/aws-error.ts";

/** The function ran and failed. */
export class FunctionFailedError extends Error {
  override readonly name = "FunctionFailedError";

  constructor(name: string, said: string) {
    super(
      `Function ${name} failed. It said: ${said} Its log group is named by ` +
        `\`aws lambda get-function-configuration --function-name ${name} --query LoggingConfig.LogGroup\`.`,
    );
  }
}

/**
 * Invokes a function and returns its response. Event and response have at most 6 MB of JSON each (Lambda quotas).
 * Throws an AwsError, or {@link FunctionFailedError}.
 */
export async function invokeFunction(client: LambdaClient, name: string, event: unknown): Promise<unknown> {
  const Payload = Buffer.from(JSON.stringify(event));
  const answer = await call(client, name, Payload);
  const text = Buffer.from(answer.Payload ?? new Uint8Array()).toString();
  if (answer.FunctionError !== undefined) throw new FunctionFailedError(name, text.slice(0, MOST_SAID));
  return text === "" ? undefined : JSON.parse(text);
}

const MOST_SAID = 500;

async function call(client: LambdaClient, name: string, Payload: Uint8Array) {
  try {
    return await client.send(new InvokeCommand({ FunctionName: name, InvocationType: "RequestResponse", Payload }));
  } catch (cause) {
    throw awsError(`Function ${name}`, cause);
  }
}
