import type { Retry } from "../ports/concurrency/retry.ts";
import {
  joinClusterObserved,
  joinCronJobFact,
  joinGap,
  joinHint,
  joinNamespaceFact,
  joinNodeFact,
} from "../job/model/cluster-fold.ts";
import type { CronJobRecord, HintRecord, NamespaceMarksRecord, NodeRecord } from "../job/model/cluster-context.ts";
import {
  type ClusterFact,
  type ClusterObserved,
  type CronJobFact,
  type GapRecorded,
  type HintFact,
  isHintFact,
  isNamespaceFact,
  type NamespaceFact,
  type NodeDeleted,
  type NodeObserved,
} from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { MetaRecord, MetaStore } from "../ports/meta.ts";
import { cronJobKey, gapKey, hintsKey, namespaceKey, namespaceMarksKey, nodeKey } from "../ports/meta-key.ts";
import { type ClusterRecord, clusterRecord } from "../ports/records/cluster-record.ts";
import { cronJobRecord } from "../ports/records/cron-job-record.ts";
import { gapRecord } from "../ports/records/gap-record.ts";
import { hintRecord } from "../ports/records/hint-record.ts";
import { MARKER } from "../ports/records/marker-record.ts";
import { namespaceMarksRecord } from "../ports/records/namespace-marks-record.ts";
import { nodeRecord } from "../ports/records/node-record.ts";
import type { RecordCodec } from "../ports/records/record-codec.ts";
import { untilWritten } from "./until-written.ts";

/** The key of the meta record that a fact about a cluster is joined into. */
export interface ClusterRecordKey {
  readonly kind: "node" | "cronjob" | "namespaceMarks" | "hints" | "gap" | "cluster";
  readonly key: string;
}

/** Facts of one meta record. */
export interface ClusterRecordFacts {
  readonly record: ClusterRecordKey;
  readonly facts: readonly ClusterFact[];
}

export function recordKeyOf(cluster: ClusterName, fact: ClusterFact): ClusterRecordKey {
  if (isNamespaceFact(fact)) return { kind: "namespaceMarks", key: namespaceMarksKey(cluster, fact.namespace) };
  if (isHintFact(fact)) return { kind: "hints", key: hintsKey(cluster, fact.target) };
  switch (fact.kind) {
    case "NodeObserved":
    case "NodeDeleted":
      return { kind: "node", key: nodeKey(cluster, fact.node) };
    case "CronJobObserved":
    case "CronJobDeleted":
      return { kind: "cronjob", key: cronJobKey(cluster, fact.cronJobUid) };
    case "GapRecorded":
      return { kind: "gap", key: gapKey(cluster, fact.gapId) };
    case "ClusterObserved":
      return { kind: "cluster", key: cluster };
  }
}

/** Joins facts into their record. A join that changes nothing is not written. */
export async function projectClusterFacts(
  meta: MetaStore,
  { record, facts }: ClusterRecordFacts,
  retry: Retry,
): Promise<"written" | "unchanged"> {
  const { kind, key } = record;
  return untilWritten(`record ${kind} ${key}`, retry, async () => {
    const stored = await meta.read(kind, key);
    const value = joinRecordValue(record, stored?.value, facts);
    if (value === stored?.value) return "unchanged";
    return (await meta.write(kind, key, { value, expected: stored?.version ?? 0 })).outcome;
  });
}

/** The value of a record after joining facts into `value`. Throws InvalidRecordError. */
export function joinRecordValue(
  { kind, key }: ClusterRecordKey,
  value: string | undefined,
  facts: readonly ClusterFact[],
): string {
  const stored = value === undefined ? undefined : { key, value };
  switch (kind) {
    case "node":
      return joinAll(nodeRecord, stored, facts.filter(isNodeFact).map(nodeJoin));
    case "cronjob":
      return joinAll(cronJobRecord, stored, facts.filter(isCronJobFact).map(cronJobJoin));
    case "namespaceMarks":
      return joinAll(namespaceMarksRecord, stored, facts.filter(isNamespaceFact).map(namespaceJoin));
    case "hints":
      return joinAll(hintRecord, stored, facts.filter(isHintFact).map(hintJoin));
    case "gap":
      return joinAll(gapRecord, stored, facts.filter(isGap).map(gapJoin));
    case "cluster":
      return joinAll(clusterRecord, stored, facts.filter(isHeartbeat).map(heartbeatJoin));
  }
}

/** Joins one fact into a record, or makes a record of it. */
type Join<Value> = (record: Value | undefined) => Value;

function joinAll<Value>(
  codec: RecordCodec<Value>,
  stored: Pick<MetaRecord, "key" | "value"> | undefined,
  joins: readonly Join<Value>[],
): string {
  const record = stored && codec.decode(stored);
  const joined = joins.reduce<Value | undefined>((value, join) => join(value), record);
  return joined === undefined ? MARKER : codec.encode(joined);
}

const nodeJoin =
  (fact: NodeFact): Join<NodeRecord> =>
  (record = { node: fact.node, stands: [], deleted: [] }) =>
    joinNodeFact(record, fact);
const cronJobJoin =
  (fact: CronJobFact): Join<CronJobRecord> =>
  (record = { cronJobUid: fact.cronJobUid }) =>
    joinCronJobFact(record, fact);
const namespaceJoin =
  (fact: NamespaceFact): Join<NamespaceMarksRecord> =>
  (record = { namespace: fact.namespace }) =>
    joinNamespaceFact(record, fact);
const hintJoin =
  (fact: HintFact): Join<HintRecord> =>
  (record = { hints: [] }) =>
    joinHint(record, fact);
const gapJoin =
  (fact: GapRecorded): Join<GapRecorded> =>
  (record) =>
    joinGap(record, fact);
const heartbeatJoin =
  (fact: ClusterObserved): Join<ClusterRecord> =>
  (record = {}) => ({ ...record, observed: joinClusterObserved(record.observed, fact) });

type NodeFact = NodeObserved | NodeDeleted;

function isNodeFact(fact: ClusterFact): fact is NodeFact {
  return fact.kind === "NodeObserved" || fact.kind === "NodeDeleted";
}

function isCronJobFact(fact: ClusterFact): fact is CronJobFact {
  return "cronJobUid" in fact;
}

function isGap(fact: ClusterFact): fact is GapRecorded {
  return fact.kind === "GapRecorded";
}

function isHeartbeat(fact: ClusterFact): fact is ClusterObserved {
  return fact.kind === "ClusterObserved";
}

/** Records once that a cluster has Jobs in a namespace. */
export async function noteNamespace(meta: MetaStore, cluster: ClusterName, namespace: string): Promise<void> {
  const key = namespaceKey(cluster, namespace);
  if ((await meta.read("namespace", key)) === undefined) {
    await meta.write("namespace", key, { value: MARKER, expected: 0 });
  }
}

/** Records once that facts of a cluster arrived. */
export async function noteCluster(meta: MetaStore, cluster: ClusterName): Promise<void> {
  if ((await meta.read("cluster", cluster)) === undefined) {
    await meta.write("cluster", cluster, { value: MARKER, expected: 0 });
  }
}
