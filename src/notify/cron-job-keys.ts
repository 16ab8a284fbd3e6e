import { decodeClusterName } from "../job/model/ids.ts";
import { isOwnKey } from "../parents/own-keys.ts";
import type { MetaStore } from "../ports/meta.ts";
import { cronJobKey } from "../ports/meta-key.ts";
import { cronJobRecord } from "../ports/records/cron-job-record.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import { type Matched, matchRule } from "./match-rule.ts";
import type { Rule } from "./rules/rules.ts";
import type { Subject } from "./subject.ts";

/** What the CronJob of a Job says for Outlive, if a rule asks for it. Costs one read then. */
export async function cronJobKeys(
  meta: MetaStore,
  rules: readonly Rule[],
  { cluster, owner }: Subject,
): Promise<Subject["labels"]> {
  const name = decodeClusterName(cluster);
  if (name === undefined || owner?.kind !== "CronJob" || owner.uid === undefined) return {};
  if (!rules.some(readsOwnKeys)) return {};
  return (await readRecord(meta, cronJobRecord, cronJobKey(name, owner.uid)))?.value.observed?.marks ?? {};
}

/** Those of the Job have precedence. */
export function withKeys(subject: Subject, keys: Subject["labels"]): Subject {
  return { ...subject, labels: { ...keys, ...subject.labels } };
}

function readsOwnKeys({ match: { selector = [] }, toValueOf = "" }: Rule): boolean {
  return isOwnKey(toValueOf) || selector.some(({ key }) => isOwnKey(key));
}

/** Why a rule matches a Job, or will match it when its CronJob is read. */
export function mayMatch(rule: Rule, subject: Subject): Matched | undefined {
  const { match } = rule;
  if (match.selector === undefined || subject.owner?.kind !== "CronJob") return matchRule(rule, subject);
  const selector = match.selector.filter(({ key }) => !isOwnKey(key));
  return matchRule({ ...rule, match: { ...match, selector } }, subject);
}
