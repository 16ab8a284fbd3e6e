import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { awsError } from "../aws/aws-error.ts";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 5_000;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createSecretsClient(): SecretsManagerClient {
  return new SecretsManagerClient({ requestHandler: requestLimits(REQUEST_MILLIS) });
}

/** The texts of a secret whose value is a JSON object, by name. Throws an AwsError or {@link InvalidSecretError}. */
export async function readSecret(
  client: SecretsManagerClient,
  secretId: string,
): Promise<Readonly<Record<string, string>>> {
  const value = await secretText(client, secretId);
  const parsed = parsedObject(value);
  if (parsed === undefined) throw new InvalidSecretError(secretId);
  return Object.fromEntries(Object.entries(parsed).map(([name, text]) => [name, String(text)]));
}

async function secretText(client: SecretsManagerClient, secretId: string): Promise<string> {
  try {
    const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    return SecretString;
  } catch (cause) {
    throw awsError(`Secret ${secretId}`, cause);
  }
}

/** The message of a SyntaxError contains a part of the text, which is secret. */
function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** The value of the secret is not a JSON object. The message does not contain it. */
export class InvalidSecretError extends Error {
  override readonly name = "InvalidSecretError";

  constructor(secretId: string) {
    super(`Secret ${secretId} is not a JSON object. Set it to {"NAME": "value"}, with the names of the rule file.`);
  }
}
