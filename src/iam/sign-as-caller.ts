import { IAMClient } from "@aws-sdk/client-iam";
import { awsError } from "../aws/aws-error.ts";
import { percentEncode } from "../aws/percent-encode.ts";

/** A `GET` as AWS takes it as one of whoever signed it. */
export interface SignedGet {
  /** As it was signed: a signature is over the query, and that is encoded in one way only (a space as `%20`). */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The address of an API on API Gateway tells its region; a name of one's own, or an emulator's, does not. */
const EXECUTE_API = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;

export function isExecuteApi({ hostname }: URL): boolean {
  return EXECUTE_API.test(hostname);
}

/** Whether the SDK finds credentials at all: in the environment, a profile, single sign-on, the role of the machine or Pod, in its own order. */
export async function isSomebody({ config }: IAMClient): Promise<boolean> {
  return config.credentials().then(
    () => true,
    () => false,
  );
}

/**
 * Signs `GET url` for an API on API Gateway, service `execute-api`, as the client's credentials: Signature Version 4 by the signer that the SDK's clients have
 * themselves, so that there is neither a signer of our own nor a package more. AWS takes a signature for five minutes. Throws an AwsError.
 */
export async function signAsCaller({ config }: IAMClient, asked: URL, now: () => number): Promise<SignedGet> {
  try {
    const region = EXECUTE_API.exec(asked.hostname)?.[1] ?? (await config.region());
    const url = withSignableQuery(asked);
    const { protocol, hostname, port, pathname: path, host } = url;
    const where = { protocol, hostname, path, ...(port !== "" && { port: Number(port) }) };
    const unsigned = { method: "GET", ...where, query: queryOf(url), headers: { host } };
    const signer = await openSigner(region, config.credentials);
    const { headers } = await signer.sign(unsigned, { signingDate: new Date(now()) });
    const { host: _, ...sent } = headers;
    return { url, headers: sent };
  } catch (cause) {
    throw awsError(`The API at ${asked.origin}`, cause);
  }
}

/** A client's signer stays with the first name and region that it was asked for: this one's client asks IAM nothing, ever. */
async function openSigner(region: string, credentials: IAMClient["config"]["credentials"]) {
  const { config } = new IAMClient({ region, credentials });
  return config.signer({ name: "sigv4", signingName: "execute-api", signingRegion: region, properties: {} });
}

/** Parameters as the signer takes them: one that is given twice has several values. */
function queryOf({ searchParams }: URL): Record<string, string[]> {
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}

/** URLSearchParams writes a space as `+`, which a signature has as `%2B`. */
function withSignableQuery(url: URL): URL {
  const signable = new URL(url);
  signable.search = [...url.searchParams].map((pair) => pair.map(percentEncode).join("=")).join("&");
  return signable;
}
