import type { SignedGet } from "../iam/sign-as-caller.ts";

/** How a request shows who asks. */
export interface Asker {
  /** A bearer token. */
  readonly token?: string;
  /** An AWS signature, in place of a token: there is one header for both. */
  readonly sign?: SignRequest;
  /** A key of API Gateway, where the deployment asks for one (`-c apiKey=true`). It says whose share of requests this is, and not who asks. */
  readonly apiKey?: string;
}

/** What is to be sent for `GET url`: a signature is over the query, and that is encoded in one way only. */
export type SignRequest = (url: URL) => Promise<SignedGet>;

/** What is to be sent for `GET url`. */
export async function requestBy({ token, sign, apiKey }: Asker, url: URL): Promise<SignedGet> {
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
