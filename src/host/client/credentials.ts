import type { SignedGet } from "../../adapters/iam/sign-as-caller.ts";

/** How a request identifies the reader. */
export interface Credentials {
  /** A bearer token. */
  readonly token?: string;
  /** Signs requests with SigV4. Set either this or `token`: both use the `authorization` header. */
  readonly sign?: SignRequest;
  /** An API key of API Gateway, for a deployment with `-c apiKey=true`. It does not identify the caller. */
  readonly apiKey?: string;
}

/** Signs `GET url`. The signature covers the query, so the signed URL must be sent as it is. */
export type SignRequest = (url: URL) => Promise<SignedGet>;

/** The URL and headers of `GET url` with these credentials. */
export async function authenticatedRequest({ token, sign, apiKey }: Credentials, url: URL): Promise<SignedGet> {
  const signed = await sign?.(url);
  return {
    url: signed?.url ?? url,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...signed?.headers,
      ...(apiKey !== undefined && { "x-api-key": apiKey }),
    },
  };
}
