import { Stack } from "aws-cdk-lib";
import type { Role } from "aws-cdk-lib/aws-iam";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import type { Construct } from "constructs";
import { registrationsPath } from "../../src/ports/deployment/parameter-names.ts";
import { isPrincipalId } from "../../src/ports/principal-id.ts";
import { CLUSTER_NAME, PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import type {
  ReaderRegistration,
  RegistrationKind,
  SenderRegistration,
} from "../../src/ports/registrations/registrations.ts";
import { GRANT_FORMS, readGrants } from "../../src/query/access/grant-text.ts";
import { InvalidSettingsError } from "../context-values.ts";

/**
 * An IAM principal by its unique id, which no later principal gets. A name or an ARN can be reused, so a role must be
 * one of this app: only then CloudFormation knows its id.
 */
export type RegisteredPrincipal =
  /** A role of this app. */
  | { readonly role: Role; readonly principalId?: undefined }
  /** `AROA...` for a role, `AIDA...` for a user, 12 digits for the root of an account. */
  | { readonly principalId: string; readonly role?: undefined };

interface SenderProps {
  readonly stage: string;
  readonly cluster: string;
  readonly principal: RegisteredPrincipal;
}

export function registerSender(scope: Construct, { stage, cluster, principal }: SenderProps): void {
  if (!CLUSTER_NAME.test(cluster) || cluster === PROBE_CLUSTER) {
    throw new InvalidSettingsError(
      `Invalid cluster ${JSON.stringify(cluster)}. Write 1 to 63 letters, digits, '.', '_' and '-'.`,
    );
  }
  const { role } = principal;
  const value: SenderRegistration = { cluster, ...(role && { arn: role.roleArn }) };
  register(scope, { stage, kind: "senders", principal, value });
}

interface ReaderProps {
  readonly stage: string;
  readonly grants: readonly string[];
  readonly principal: RegisteredPrincipal;
}

export function registerReader(scope: Construct, { stage, grants, principal }: ReaderProps): void {
  const { refused } = readGrants(grants);
  if (refused.length > 0 || grants.length === 0) {
    throw new InvalidSettingsError(`Invalid grants ${JSON.stringify(grants)}. Write one or more: ${GRANT_FORMS}.`);
  }
  const { role } = principal;
  const value: ReaderRegistration = { grants, ...(role && { arn: role.roleArn }) };
  register(scope, { stage, kind: "readers", principal, value });
}

interface Registered {
  readonly stage: string;
  readonly kind: RegistrationKind;
  readonly principal: RegisteredPrincipal;
  readonly value: SenderRegistration | ReaderRegistration;
}

/** A parameter of the same name cannot exist twice, so that a principal sends for one cluster only. */
function register(scope: Construct, { stage, kind, principal, value }: Registered): void {
  const { role } = principal;
  const id = role === undefined ? checkedId(principal.principalId) : idOf(role);
  // A role may be of another stack, which depends on the stage: the role's policy names the queue or the API.
  const owner = role ?? scope;
  new StringParameter(owner, `outlive-${stage}-${kind}${role === undefined ? `-${id}` : ""}`, {
    parameterName: `${registrationsPath(stage, kind)}/${id}`,
    // The name contains an id that is known only when the stack is deployed.
    simpleName: false,
    stringValue: Stack.of(owner).toJsonString(value),
  });
}

/** JavaScript may pass a role that was imported, whose id CloudFormation does not know. */
function idOf(role: Role): string {
  const { roleId } = role as { readonly roleId?: string };
  if (roleId !== undefined) return roleId;
  throw new InvalidSettingsError(
    `Role ${role.node.path} is imported, so its unique id is not known. Register it by its principalId instead.`,
  );
}

function checkedId(principalId: string): string {
  if (isPrincipalId(principalId)) return principalId;
  throw new InvalidSettingsError(
    `Invalid principalId ${JSON.stringify(principalId)}. Write AROA... or AIDA..., as \`aws iam get-role\` and ` +
      "`aws iam get-user` show it, or the 12 digits of an account for its root.",
  );
}
