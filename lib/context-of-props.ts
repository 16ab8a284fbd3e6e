import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import { type Context, InvalidSettingsError } from "./context-values.ts";
import { rejectUnknownProperties } from "./property-names.ts";
import type { OutliveProps, PageClient, Readers } from "./outlive-props.ts";

/** The properties of a stage as values of the names that settings have (lib/settings.ts). */
export function contextOfProps(props: OutliveProps): Context {
  rejectUnknownProperties(props);
  const { readers = { kind: "iam" }, retention, logRetention, archiveLock, ...same } = props;
  const values: Readonly<Record<string, unknown>> = {
    ...same,
    ...contextOfReaders(readers),
    retentionDays: retention?.toDays(),
    logDays: logRetention?.toDays(),
    archiveLockDays: archiveLock?.toDays(),
    backupCopyVault: same.backupCopyVault?.backupVaultArn,
    rulesSecret: same.rulesSecret && completeArn(same.rulesSecret),
    auditLogGroups: groupsText(same.auditLogGroups),
  };
  return (name) => values[name];
}

/** The permission to read a secret needs its whole ARN, which ends with six random characters. */
function completeArn({ secretFullArn }: ISecret): string {
  if (secretFullArn !== undefined) return secretFullArn;
  throw new InvalidSettingsError("rulesSecret has no complete ARN. Import it with Secret.fromSecretCompleteArn.");
}

function groupsText(groups: OutliveProps["auditLogGroups"] = []): string {
  return groups.map(({ cluster, logGroup }) => `${cluster}=${logGroup.logGroupName}`).join(",");
}

function contextOfReaders(readers: Readers): Readonly<Record<string, unknown>> {
  switch (readers.kind) {
    case "open":
      return { openMode: true };
    case "iam":
      return { iamAccess: true };
    case "oidc": {
      const { issuer, audience, keysUrl, claim, groupsClaim, groupGrants, page } = readers;
      return {
        oidcIssuer: issuer,
        oidcAudience: audience,
        oidcKeysUrl: keysUrl,
        oidcClaim: claim,
        oidcGroupsClaim: groupsClaim,
        oidcGroupGrants: groupGrants,
        ...(page && contextOfPage(page)),
      };
    }
  }
}

function contextOfPage({ clientId, authorizationUrl, tokenUrl, scope, token }: PageClient) {
  return {
    pageClientId: clientId,
    pageAuthorizationUrl: authorizationUrl,
    pageTokenUrl: tokenUrl,
    pageScope: scope,
    pageToken: token,
  };
}
