import type { IAMClient } from "@aws-sdk/client-iam";
import { awsError } from "../aws/aws-error.ts";
import { percentEncode } from "../aws/percent-encode.ts";
import { signedHeaders } from "../aws/sign-request.ts";

/** A signed `GET` request. */
export interface SignedGet {
  /** The URL in the encoding that was signed (a space as `%20`). Send it unchanged. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The region in the address of an API on API Gateway. A custom domain and an emulator's address do not contain it. */
const EXECUTE_API = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;

export function isExecuteApi({ hostname }: URL): boolean {
  return EXECUTE_API.test(hostname);
}

/**
 * Whether the SDK finds credentials: in the environment, a profile, single sign-on, or the role of the machine or Pod.
 */
export async function hasCredentials({ config }: IAMClient): Promise<boolean> {
  return config.credentials().then(
    () => true,
    () => false,
  );
}

/** Signs `GET url` for an API on API Gateway with the client's credentials. Throws an AwsError. */
export async function signAsCaller({ config }: IAMClient, unsigned: URL, now: () => number): Promise<SignedGet> {
  try {
    const region = EXECUTE_API.exec(unsigned.hostname)?.[1] ?? (await config.region());
    const url = withSignableQuery(unsigned);
    const credentials = await config.credentials();
    const signer = { service: "execute-api", region, credentials, now: now() } as const;
    return { url, headers: await signedHeaders({ method: "GET", url }, signer) };
  } catch (cause) {
    throw awsError(`The API at ${unsigned.origin}`, cause);
  }
}

/** URLSearchParams encodes a space as `+`; the signature has `%20`. */
function withSignableQuery(url: URL): URL {
  const signable = new URL(url);
  signable.search = [...url.searchParams].map((pair) => pair.map(percentEncode).join("=")).join("&");
  return signable;
}
