import type { Credentials } from "./sign-request.ts";

/** Where and as whom AWS is asked, as far as the environment says so. */
export interface Access {
  readonly region: string | undefined;
  readonly credentials: Credentials | undefined;
}

/** What is needed to sign. Throws by the SDK's names where it is missing (aws-error.ts knows them): the first request fails, and not the process that has something to say about it. */
export function requireAccess({ region, credentials }: Access): {
  readonly region: string;
  readonly credentials: Credentials;
} {
  if (region === undefined) throw new RegionMissingError();
  if (credentials === undefined) throw new CredentialsMissingError();
  return { region, credentials };
}

class RegionMissingError extends Error {
  override readonly name = "ConfigError";

  constructor() {
    super("Region is missing.");
  }
}

class CredentialsMissingError extends Error {
  override readonly name = "CredentialsProviderError";

  constructor() {
    super("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.");
  }
}
