import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { type ClusterRecord, clusterRecord } from "../../ports/records/cluster-record.ts";
import { PROBE_CLUSTER } from "../../ports/deployment/limits.ts";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import { readCluster } from "./cluster-records.ts";
import { mayRead, mayReadCluster, type Scope } from "../access/scope.ts";

/** A cluster and how recent its data is. */
export const clusterSchema = v.object({
  name: text,
  /** The uid of namespace kube-system, which identifies the cluster independent of its name. */
  kubeSystemUid: maybe(text),
  serverVersion: maybe(text),
  /** When the last data arrived, by the cluster's clock. */
  observedAt: maybe(instant),
  /** The namespaces that have had Jobs. */
  namespaces: v.array(text),
});
export type ClusterAnswer = AnswerOf<typeof clusterSchema>;

/** How recent the data of a cluster is, without its namespaces. */
export const heartbeatSchema = v.omit(clusterSchema, ["namespaces"]);
export type Heartbeat = AnswerOf<typeof heartbeatSchema>;

/** The clusters that the reader has access to, from one list, which may be a second old. */
export async function listHeartbeats(meta: MetaStore, scope: Scope): Promise<readonly Heartbeat[]> {
  const heartbeats: Heartbeat[] = [];
  for await (const record of listRecords(meta, "cluster", { prefix: "", isEventual: true })) {
    const name = readableName(record.key, scope);
    if (name !== undefined) heartbeats.push(heartbeatOf(name, clusterRecord.decode(record)));
  }
  return heartbeats;
}

export async function listClusters(meta: MetaStore, scope: Scope): Promise<readonly ClusterAnswer[]> {
  const names = await clusterNames(meta, scope);
  return Promise.all(names.map((name) => describeCluster(meta, scope, name)));
}

/**
 * The clusters that the reader has access to, by name; only `wanted` if it is given.
 * Leaves out the artificial cluster of `outlive doctor`.
 */
export async function clusterNames(
  meta: MetaStore,
  scope: Scope,
  wanted?: ClusterName,
): Promise<readonly ClusterName[]> {
  const names: ClusterName[] = [];
  for await (const { key } of listRecords(meta, "cluster", { prefix: "" })) {
    const name = readableName(key, scope);
    if (name !== undefined) names.push(name);
  }
  return wanted === undefined ? names : names.filter((name) => name === wanted);
}

/** The namespaces of a cluster that have had Jobs and that the reader has access to, by name. */
export async function namespacesOf(meta: MetaStore, scope: Scope, cluster: ClusterName): Promise<readonly string[]> {
  const namespaces: string[] = [];
  const prefix = namespaceKey(cluster, "");
  for await (const { key } of listRecords(meta, "namespace", { prefix })) {
    const namespace = key.slice(prefix.length);
    if (mayRead(scope, cluster, namespace)) namespaces.push(namespace);
  }
  return namespaces;
}

function readableName(key: string, scope: Scope): ClusterName | undefined {
  const name = decodeClusterName(key);
  return name !== undefined && name !== PROBE_CLUSTER && mayReadCluster(scope, name) ? name : undefined;
}

async function describeCluster(meta: MetaStore, scope: Scope, name: ClusterName): Promise<ClusterAnswer> {
  const [entry, namespaces] = await Promise.all([readCluster(meta, name), namespacesOf(meta, scope, name)]);
  return { ...heartbeatOf(name, entry), namespaces };
}

function heartbeatOf(name: ClusterName, { observed }: ClusterRecord = {}): Heartbeat {
  return {
    name,
    ...(observed?.kubeSystemUid !== undefined && { kubeSystemUid: observed.kubeSystemUid }),
    ...(observed?.serverVersion !== undefined && { serverVersion: observed.serverVersion }),
    ...(observed !== undefined && { observedAt: formatInstant(observed.at) }),
  };
}

/** Whether the cluster exists and the reader has access to it. */
export async function isKnownCluster(meta: MetaStore, scope: Scope, cluster: ClusterName): Promise<boolean> {
  return mayReadCluster(scope, cluster) && (await readCluster(meta, cluster)) !== undefined;
}
