import { type Command, InvalidArgumentError, Option } from "commander";
import { isPrincipalId } from "../../src/ports/principal-id.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";

/** Which IAM principal is meant. */
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
      new Option("--principal-id <id>", "the IAM principal, by its unique id: AROA... of a role, AIDA... of a user")
        .argParser(readPrincipalId)
        .conflicts("principalArn"),
    )
    .addOption(new Option("--principal-arn <arn>", "the same by its ARN: the id is looked up, and kept"));
}

/** The principal that the options name; `undefined` where they name none. */
export async function choosePrincipal(options: PrincipalOptions): Promise<ChosenPrincipal | undefined> {
  const { principalId, principalArn: arn } = options;
  if (principalId !== undefined) return { principalId };
  if (arn === undefined) return undefined;
  const [{ createIamClient }, { findPrincipal }] = await Promise.all([
    import("../../src/iam/iam-client.ts"),
    import("../../src/iam/find-principal.ts"),
  ]);
  const found = await findPrincipal(createIamClient(), arn);
  if (found.outcome === "notPrincipal") throw new CommandFailure(2, found.problem);
  return { principalId: found.principalId, arn };
}

/** Ids that AWS's own services have: whoever has a topic of SNS could speak through it. */
const SERVICE_IDS: Readonly<Record<string, string>> = { AIDAIT2UOQQY3AUEKVGXU: "Amazon SNS" };

function readPrincipalId(text: string): string {
  if (text.includes(":")) {
    throw new InvalidArgumentError("Give the id without the session: what stands before the colon.");
  }
  const service = SERVICE_IDS[text];
  if (service !== undefined) {
    throw new InvalidArgumentError(`${text} is ${service}, which speaks for whoever publishes there.`);
  }
  if (isPrincipalId(text)) return text;
  throw new InvalidArgumentError(
    "Write AROA... or AIDA... as `aws iam get-role` and `aws iam get-user` show it, or an account's 12 digits for its root; a name will not do, because names are used again.",
  );
}
