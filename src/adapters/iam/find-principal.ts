import { GetRoleCommand, GetUserCommand, type IAMClient } from "@aws-sdk/client-iam";
import { AwsAccessDeniedError, AwsResourceMissingError, awsError } from "../aws/aws-error.ts";

export type FoundPrincipal =
  /** Its unique id: `AROA…` or `AIDA…`. */
  | { readonly outcome: "found"; readonly principalId: string }
  /** `arn` is not the ARN of a role or a user. `problem` says what to give instead. */
  | { readonly outcome: "notPrincipal"; readonly problem: string };

/**
 * The unique id of a role or a user of this account, by its ARN. An ARN can be reused by a later principal, an id
 * cannot (IAM User Guide, "Unique identifiers"). Throws an AwsError.
 */
export async function findPrincipal(client: IAMClient, arn: string): Promise<FoundPrincipal> {
  const named = readArn(arn);
  if ("problem" in named) return { outcome: "notPrincipal", problem: named.problem };
  const principalId = await idOf(client, arn, named);
  if (principalId !== undefined) return { outcome: "found", principalId };
  return { outcome: "notPrincipal", problem: `IAM has no id for ${arn}.` };
}

interface NamedPrincipal {
  readonly kind: "role" | "user";
  readonly name: string;
}

/**
 * `arn:aws:iam::ACCOUNT:role/PATH/NAME`. The ARN of a session, `arn:aws:sts::ACCOUNT:assumed-role/NAME/SESSION`, has no
 * path.
 */
function readArn(arn: string): NamedPrincipal | { readonly problem: string } {
  const [, kind, name] = /^arn:[a-z0-9-]+:iam::\d{12}:(role|user)\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]+)$/.exec(arn) ?? [];
  if ((kind === "role" || kind === "user") && name !== undefined) return { kind, name };
  const role = /^arn:[a-z0-9-]+:sts::\d{12}:assumed-role\/([\w+=,.@-]+)\/[^/]+$/.exec(arn)?.[1];
  if (role !== undefined) return { kind: "role", name: role };
  return {
    problem:
      `${JSON.stringify(arn)} is not the ARN of a role or a user. Write arn:aws:iam::ACCOUNT:role/NAME, or ` +
      "give the id with --principal-id.",
  };
}

async function idOf(client: IAMClient, arn: string, { kind, name }: NamedPrincipal): Promise<string | undefined> {
  try {
    if (kind === "role") return (await client.send(new GetRoleCommand({ RoleName: name }))).Role?.RoleId;
    return (await client.send(new GetUserCommand({ UserName: name }))).User?.UserId;
  } catch (cause) {
    throw explained(arn, kind, cause);
  }
}

function explained(arn: string, kind: NamedPrincipal["kind"], cause: unknown): unknown {
  if (cause instanceof Error && cause.name === "NoSuchEntityException") {
    return new AwsResourceMissingError(
      `There is no ${kind} ${arn} in this account. For a principal of another account, get its id with \`aws iam ` +
        `get-${kind}\` there, then give --principal-id.`,
      { cause },
    );
  }
  const error = awsError(`The ${kind} ${arn}`, cause);
  if (!(error instanceof AwsAccessDeniedError)) return error;
  return new AwsAccessDeniedError(
    `${error.message} Or ask an operator with access for the id, and give --principal-id.`,
    {
      cause,
    },
  );
}
