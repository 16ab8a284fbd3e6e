import { InvalidSettingsError } from "../lib/context-values.ts";
import { VALUE_NAMES } from "../lib/property-names.ts";

/** The names that `-c` accepts. */
export const SETTING_NAMES: readonly string[] = [
  ...VALUE_NAMES,
  ..."retentionDays logDays archiveLockDays encryption alarmEmail senderArns".split(" "),
  ..."backupCopyVault rulesSecret auditLogGroups".split(" "),
  ..."openMode iamAccess oidcIssuer oidcAudience oidcKeysUrl oidcClaim oidcGroupsClaim oidcGroupGrants".split(" "),
  ..."pageClientId pageAuthorizationUrl pageTokenUrl pageScope pageToken".split(" "),
];

/**
 * Rejects unknown names, because a misspelt setting would silently keep its default. The CDK's own context names
 * contain other characters than letters. Throws {@link InvalidSettingsError}.
 */
export function rejectUnknownSettings(given: readonly string[]): void {
  const unknown = given.find((name) => /^[a-zA-Z]+$/.test(name) && !SETTING_NAMES.includes(name));
  if (unknown === undefined) return;
  const similar = SETTING_NAMES.find((name) => name.toLowerCase() === unknown.toLowerCase());
  const advice = similar === undefined ? `Settings: ${SETTING_NAMES.join(", ")}` : `Write ${similar}`;
  throw new InvalidSettingsError(`Unknown setting ${unknown}. ${advice}.`);
}
