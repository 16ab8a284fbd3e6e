import type { Retry } from "../concurrency/retry.ts";
import { canonical } from "../job/model/canonical.ts";
import { joinClusterObserved, joinCronJobFact, joinGap, joinHint, joinNodeFact } from "../job/model/cluster-fold.ts";
import type { CronJobRecord, HintRecord, NodeRecord } from "../job/model/cluster-record.ts";
import type { ClusterFact, ClusterObserved, GapRecorded } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { MetaKind, MetaStore } from "../ports/meta.ts";
import { cronJobKey, gapKey, hintsKey, namespaceKey, nodeKey } from "../ports/meta-key.ts";
import { untilWritten } from "./until-written.ts";

/** What kind `cluster` holds: that facts of this cluster came, and the latest heartbeat among them. Registration may keep more beside. */
export interface ClusterEntry {
  readonly observed?: ClusterObserved;
}

/** Where a fact about a cluster is kept. */
export interface ClusterRecordPlace {
  readonly kind: MetaKind;
  readonly key: string;
}

export function placeOfClusterFact(cluster: ClusterName, fact: ClusterFact): ClusterRecordPlace {
  switch (fact.kind) {
    case "NodeObserved":
    case "NodeDeleted":
      return { kind: "node", key: nodeKey(cluster, fact.node) };
    case "CronJobObserved":
    case "CronJobDeleted":
      return { kind: "cronjob", key: cronJobKey(cluster, fact.cronJobUid) };
    case "EventHinted":
    case "RequestHinted":
      return { kind: "hints", key: hintsKey(cluster, fact.target) };
    case "GapRecorded":
      return { kind: "gap", key: gapKey(cluster, fact.gapId) };
    case "ClusterObserved":
      return { kind: "cluster", key: cluster };
  }
}

/** Joins facts into the record at their common place. A join that changes nothing is not written. */
export async function projectClusterFacts(
  meta: MetaStore,
  { kind, key }: ClusterRecordPlace,
  facts: readonly ClusterFact[],
  retry: Retry,
): Promise<"written" | "unchanged"> {
  return untilWritten(`Record ${kind} ${key}`, retry, async () => {
    const stored = await meta.read(kind, key);
    const value = joinRecordValue(stored?.value, facts);
    if (value === stored?.value) return "unchanged";
    return (await meta.write(kind, key, value, stored?.version ?? 0)).outcome;
  });
}

/** What a record is to hold that holds `value` and into which facts of its place are joined. */
export function joinRecordValue(value: string | undefined, facts: readonly ClusterFact[]): string {
  return canonical(facts.reduce<unknown>(joinClusterFact, value === undefined ? undefined : JSON.parse(value)));
}

/** Writes down that a cluster has Jobs in a namespace, once. */
export async function noteNamespace(meta: MetaStore, cluster: ClusterName, namespace: string): Promise<void> {
  const key = namespaceKey(cluster, namespace);
  if ((await meta.read("namespace", key)) === undefined) await meta.write("namespace", key, "{}", 0);
}

/** Writes down that facts of a cluster came, once. */
export async function noteCluster(meta: MetaStore, cluster: ClusterName): Promise<void> {
  if ((await meta.read("cluster", cluster)) === undefined) await meta.write("cluster", cluster, "{}", 0);
}

/** `record` is what lies at the fact's place: its kind follows from the fact's. */
function joinClusterFact(record: unknown, fact: ClusterFact): unknown {
  switch (fact.kind) {
    case "NodeObserved":
    case "NodeDeleted":
      return joinNodeFact((record as NodeRecord | undefined) ?? { node: fact.node, stands: [], deleted: [] }, fact);
    case "CronJobObserved":
    case "CronJobDeleted":
      return joinCronJobFact((record as CronJobRecord | undefined) ?? { cronJobUid: fact.cronJobUid }, fact);
    case "EventHinted":
    case "RequestHinted":
      return joinHint((record as HintRecord | undefined) ?? { hints: [] }, fact);
    case "GapRecorded":
      return joinGap(record as GapRecorded | undefined, fact);
    case "ClusterObserved": {
      const entry = (record as ClusterEntry | undefined) ?? {};
      return { ...entry, observed: joinClusterObserved(entry.observed, fact) };
    }
  }
}
