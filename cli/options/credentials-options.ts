import { type Command, Option } from "commander";
import type { Credentials } from "../../src/client/credentials.ts";
import { addTokenOptions, readToken, type TokenOptions } from "./token-options.ts";

/** How a command shows a server who asks. */
export interface CredentialsOptions extends TokenOptions {
  readonly sign?: boolean;
  readonly apiKey?: string;
}

export function addCredentialsOptions(command: Command): Command {
  return addTokenOptions(command)
    .addOption(
      new Option(
        "--sign",
        "sign as the AWS credentials of this shell (SigV4), for an API deployed with iamAccess; done without being asked for addresses of API Gateway where no token is given",
      ).env("OUTLIVE_SIGN"),
    )
    .addOption(
      new Option("--api-key <key>", "the key of a deployment that asks everybody for one (apiKey=true)").env(
        "OUTLIVE_API_KEY",
      ),
    );
}

/** Who asks `server`: whoever `--sign` says, else the bearer of a token, else whoever this shell is to AWS where the server may want to know. */
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
    import("../../src/iam/iam-client.ts"),
    import("../../src/iam/sign-as-caller.ts"),
  ]);
  const client = createIamClient();
  const asCaller: Credentials = { sign: (asked) => signAsCaller(client, asked, Date.now) };
  if (isWanted) return asCaller;
  if (url === null || !isExecuteApi(url)) return {};
  // A trial is open to everybody: then nobody needs to be anybody.
  return (await hasCredentials(client)) ? asCaller : {};
}
