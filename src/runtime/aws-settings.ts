import type { Environment } from "./read-variables.ts";

/** Where and as whom AWS is asked, by the SDK's own variables, which Lambda and emulators set. What is missing is told by the first request that needs it. */
export interface AwsSettings {
  readonly region: string | undefined;
  readonly credentials: AwsCredentials | undefined;
  /** DynamoDB of an emulator. @default AWS's own */
  readonly dynamoEndpoint: string | undefined;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export function readAwsSettings(environment: Environment): AwsSettings {
  return {
    region: given(environment["AWS_REGION"]) ?? given(environment["AWS_DEFAULT_REGION"]),
    credentials: credentialsIn(environment),
    dynamoEndpoint: given(environment["AWS_ENDPOINT_URL_DYNAMODB"]) ?? given(environment["AWS_ENDPOINT_URL"]),
  };
}

/** A function's role: Lambda renews the variables by beginning a process anew, and keeps none for longer than they are good. */
function credentialsIn(environment: Environment): AwsCredentials | undefined {
  const accessKeyId = given(environment["AWS_ACCESS_KEY_ID"]);
  const secretAccessKey = given(environment["AWS_SECRET_ACCESS_KEY"]);
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: given(environment["AWS_SESSION_TOKEN"]) };
}

/** A variable that is set to nothing is not set. */
function given(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
