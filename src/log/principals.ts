import { compareText } from "../job/model/compare-text.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { clusterRecord } from "../ports/records/cluster-record.ts";
import { type PrincipalRecord, principalRecord } from "../ports/records/principal-record.ts";
import { listDecoded, readRecord, writeRecord } from "../ports/records/record-codec.ts";

/** An IAM principal and the cluster that it may send for. */
export interface Principal {
  readonly principalId: string;
  readonly cluster: ClusterName;
  readonly registeredAt?: Instant;
  readonly arn?: string;
}

export type Registered =
  | { readonly outcome: "registered" | "unchanged" }
  /** It is registered for another cluster: a principal sends for one cluster only. */
  | { readonly outcome: "registeredElsewhere"; readonly cluster: ClusterName }
  /** A concurrent command changed the record. */
  | { readonly outcome: "conflict" };

/** Lets a principal send for a cluster, in addition to the registered ones. */
export async function registerPrincipal(
  meta: MetaStore,
  { cluster, principalId, arn }: Pick<Principal, "cluster" | "principalId" | "arn">,
  now: Instant,
): Promise<Registered> {
  const stored = await readRecord(meta, principalRecord, principalId);
  const current = stored && principalIn(principalId, stored.value);
  if (current?.cluster === cluster) return { outcome: "unchanged" };
  if (current !== undefined) return { outcome: "registeredElsewhere", cluster: current.cluster };
  const value: PrincipalRecord = { cluster, registeredAt: now, ...(arn !== undefined && { arn }) };
  const write = { key: principalId, value, expected: stored?.version ?? 0 };
  const written = await writeRecord(meta, principalRecord, write);
  return written.outcome === "written" ? { outcome: "registered" } : written;
}

export type Unregistered =
  | { readonly outcome: "unregistered"; readonly cluster: ClusterName }
  | { readonly outcome: "notRegistered" | "conflict" };

/** Stops a principal from sending, within a minute (SenderRegistry). Segments that it sent before stay in the log. */
export async function unregisterPrincipal(meta: MetaStore, principalId: string, now: Instant): Promise<Unregistered> {
  const stored = await readRecord(meta, principalRecord, principalId);
  const current = stored && principalIn(principalId, stored.value);
  if (stored === undefined || current === undefined) return { outcome: "notRegistered" };
  const write = { key: principalId, value: { unregisteredAt: now }, expected: stored.version };
  const written = await writeRecord(meta, principalRecord, write);
  return written.outcome === "written" ? { outcome: "unregistered", cluster: current.cluster } : written;
}

/** Every registered principal, by cluster and id. */
export async function listPrincipals(meta: MetaStore): Promise<readonly Principal[]> {
  const principals: Principal[] = [];
  for await (const { key, value } of listDecoded(meta, principalRecord, "")) {
    const principal = principalIn(key, value);
    if (principal !== undefined) principals.push(principal);
  }
  return principals.sort((a, b) => compareText(a.cluster, b.cluster) || compareText(a.principalId, b.principalId));
}

/** Accepts a rebuilt cluster under the name of its predecessor, by the uid of its namespace kube-system. */
export async function registerKubeSystem(
  meta: MetaStore,
  cluster: ClusterName,
  kubeSystemUid: string,
): Promise<"registered" | "unchanged" | "conflict"> {
  const stored = await readRecord(meta, clusterRecord, cluster);
  if (stored?.value.kubeSystemUid === kubeSystemUid) return "unchanged";
  const write = { key: cluster, value: { ...stored?.value, kubeSystemUid }, expected: stored?.version ?? 0 };
  const { outcome } = await writeRecord(meta, clusterRecord, write);
  return outcome === "written" ? "registered" : "conflict";
}

function principalIn(
  principalId: string,
  { cluster: name, registeredAt, arn }: PrincipalRecord,
): Principal | undefined {
  const cluster = decodeClusterName(name);
  if (cluster === undefined) return undefined;
  return {
    principalId,
    cluster,
    ...(registeredAt !== undefined && { registeredAt }),
    ...(arn !== undefined && { arn }),
  };
}
