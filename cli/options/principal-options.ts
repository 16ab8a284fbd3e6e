import { type Command, InvalidArgumentError, Option } from "commander";
import { isPrincipalId } from "../../src/ports/principal-id.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** The IAM principal that a command is about. */
export interface PrincipalOptions {
  readonly principalId?: string;
  readonly principalArn?: string;
}

export interface ChosenPrincipal {
  readonly principalId: string;
  readonly arn?: string;
}

export function addPrincipalOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--principal-id <id>", "unique id of the IAM principal: AROA... for a role, AIDA... for a user")
        .argParser(readPrincipalId)
        .conflicts("principalArn"),
    )
    .addOption(new Option("--principal-arn <arn>", "ARN of the IAM principal; the command looks up its id"));
}

/** The principal that the options name, or `undefined`. */
export async function choosePrincipal(options: PrincipalOptions): Promise<ChosenPrincipal | undefined> {
  const { principalId, principalArn: arn } = options;
  if (principalId !== undefined) return { principalId };
  if (arn === undefined) return undefined;
  const [{ createIamClient }, { findPrincipal }] = await Promise.all([
    import("../../src/adapters/iam/iam-client.ts"),
    import("../../src/adapters/iam/find-principal.ts"),
  ]);
  const found = await findPrincipal(createIamClient(), arn);
  if (found.outcome === "notPrincipal") throw new CommandFailure(2, found.problem);
  return { principalId: found.principalId, arn };
}

export async function requirePrincipal(options: PrincipalOptions): Promise<ChosenPrincipal> {
  const principal = await choosePrincipal(options);
  if (principal !== undefined) return principal;
  throw new CommandFailure(2, "No principal is named. Set --principal-id or --principal-arn.");
}

/** Ids of AWS services. If such an id were a sender, everyone with an SNS topic could send for the cluster. */
const SERVICE_IDS: Readonly<Record<string, string>> = { AIDAIT2UOQQY3AUEKVGXU: "Amazon SNS" };

function readPrincipalId(text: string): string {
  if (text.includes(":")) {
    throw new InvalidArgumentError("Write the id without the session: the part before the colon.");
  }
  const service = SERVICE_IDS[text];
  if (service !== undefined) {
    throw new InvalidArgumentError(`${text} is ${service}: it sends for everyone who publishes there.`);
  }
  if (isPrincipalId(text)) return text;
  throw new InvalidArgumentError(
    "Write AROA... or AIDA..., as `aws iam get-role` and `aws iam get-user` show it, or the 12 digits of an " +
      "account for its root. A name is not accepted, because another principal can get it later.",
  );
}
