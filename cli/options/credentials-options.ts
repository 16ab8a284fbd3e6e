import { type Command, Option } from "commander";
import type { Credentials } from "../../src/host/client/credentials.ts";
import { addTokenOptions, readToken, type TokenOptions } from "./token-options.ts";

/** How a command authenticates to a server. */
export interface CredentialsOptions extends TokenOptions {
  readonly sign?: boolean;
  readonly apiKey?: string;
}

export function addCredentialsOptions(command: Command): Command {
  return addTokenOptions(command)
    .addOption(
      new Option(
        "--sign",
        "sign requests with the AWS credentials of this shell (SigV4), for an API with iamAccess " +
          "(default for addresses of API Gateway, if no token is set)",
      ).env("OUTLIVE_SIGN"),
    )
    .addOption(new Option("--api-key <key>", "API key of a deployment with apiKey=true").env("OUTLIVE_API_KEY"));
}

/** Credentials for `server`: a signature with `--sign`, else a token, else a signature for addresses of API Gateway. */
export async function openCredentials(
  server: string,
  { sign, apiKey, ...tokens }: CredentialsOptions,
): Promise<Credentials> {
  const token = sign === true ? undefined : readToken(tokens);
  const identified = token === undefined ? await signerFor(server, sign === true) : { token };
  return { ...identified, ...(apiKey !== undefined && { apiKey }) };
}

async function signerFor(server: string, isWanted: boolean): Promise<Credentials> {
  const url = URL.parse(server);
  if (!isWanted && url?.protocol !== "https:") return {};
  const [{ createIamClient }, { isExecuteApi, hasCredentials, signAsCaller }] = await Promise.all([
    import("../../src/adapters/iam/iam-client.ts"),
    import("../../src/adapters/iam/sign-as-caller.ts"),
  ]);
  const client = createIamClient();
  const asCaller: Credentials = { sign: (request) => signAsCaller(client, request, Date.now) };
  if (isWanted) return asCaller;
  if (url === null || !isExecuteApi(url)) return {};
  // A trial in open mode needs no credentials.
  return (await hasCredentials(client)) ? asCaller : {};
}
