import { marksOfNamespace } from "../job/model/cluster-context.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { isOwnKey } from "../parents/own-keys.ts";
import type { MetaStore } from "../ports/meta.ts";
import { cronJobKey, namespaceMarksKey } from "../ports/meta-key.ts";
import { cronJobRecord } from "../ports/records/cron-job-record.ts";
import { namespaceMarksRecord } from "../ports/records/namespace-marks-record.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import { type Matched, matchRule } from "./match-rule.ts";
import type { Rule } from "./rules/rules.ts";
import type { Subject } from "./subject.ts";

type Keys = Subject["labels"];

/**
 * The labels and annotations for Outlive of the CronJob of a Job, and of its namespace. Each takes one read, and only
 * if a rule needs a key that is still missing.
 */
export async function keysAround(meta: MetaStore, rules: readonly Rule[], subject: Subject): Promise<Keys> {
  const cluster = decodeClusterName(subject.cluster);
  const wanted = rules.flatMap(ownKeysOf);
  const isComplete = (keys: Keys) => wanted.every((key) => Object.hasOwn(keys, key));
  if (cluster === undefined || subject.kind === "Cluster" || isComplete(subject.labels)) return {};
  const keys = await keysOfCronJob(meta, cluster, subject);
  if (isComplete({ ...keys, ...subject.labels })) return keys;
  return { ...(await keysOfNamespace(meta, cluster, subject)), ...keys };
}

async function keysOfCronJob(meta: MetaStore, cluster: ClusterName, { owner }: Subject): Promise<Keys> {
  if (owner?.kind !== "CronJob" || owner.uid === undefined) return {};
  return (await readRecord(meta, cronJobRecord, cronJobKey(cluster, owner.uid)))?.value.observed?.marks ?? {};
}

async function keysOfNamespace(meta: MetaStore, cluster: ClusterName, { namespace }: Subject): Promise<Keys> {
  const stored = await readRecord(meta, namespaceMarksRecord, namespaceMarksKey(cluster, namespace));
  return stored === undefined ? {} : marksOfNamespace(stored.value);
}

/** Those of the subject have precedence. */
export function withKeys(subject: Subject, keys: Keys): Subject {
  return { ...subject, labels: { ...keys, ...subject.labels } };
}

function ownKeysOf({ match: { selector = [] }, toValueOf = "" }: Rule): readonly string[] {
  return [toValueOf, ...selector.map(({ key }) => key)].filter(isOwnKey);
}

/** Why a rule matches a subject, or may match it when what is around it is read. */
export function mayMatch(rule: Rule, subject: Subject): Matched | undefined {
  const { match } = rule;
  if (match.selector === undefined || subject.kind === "Cluster") return matchRule(rule, subject);
  const selector = match.selector.filter(({ key }) => !isOwnKey(key));
  return matchRule({ ...rule, match: { ...match, selector } }, subject);
}
