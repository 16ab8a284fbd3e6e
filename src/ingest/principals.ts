import { canonical } from "../job/model/canonical.ts";
import { compareText } from "../job/model/compare-text.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { listRecords } from "../ports/list-records.ts";
import type { MetaRecord, MetaStore } from "../ports/meta.ts";
import type { ClusterRegistration, PrincipalRecord } from "./sender.ts";

/** A principal and the cluster that it may speak for. */
export interface Principal {
  readonly principalId: string;
  readonly cluster: ClusterName;
  readonly registeredAt?: Instant;
  readonly arn?: string;
}

export type Registered =
  | { readonly outcome: "registered" | "unchanged" }
  /** It speaks for another cluster: a principal speaks for one. */
  | { readonly outcome: "speaksElsewhere"; readonly cluster: ClusterName }
  /** Somebody else wrote at this moment. */
  | { readonly outcome: "conflict" };

/** Lets a principal speak for a cluster, beside those that may already. */
export async function registerPrincipal(
  meta: MetaStore,
  { cluster, principalId, arn }: Pick<Principal, "cluster" | "principalId" | "arn">,
  now: Instant,
): Promise<Registered> {
  const stored = await meta.read("principal", principalId);
  const known = stored && readPrincipal(stored);
  if (known?.cluster === cluster) return { outcome: "unchanged" };
  if (known !== undefined) return { outcome: "speaksElsewhere", cluster: known.cluster };
  const record: PrincipalRecord = { cluster, registeredAt: now, ...(arn !== undefined && { arn }) };
  const written = await meta.write("principal", principalId, canonical(record), stored?.version ?? 0);
  return written.outcome === "written" ? { outcome: "registered" } : written;
}

export type Unregistered =
  | { readonly outcome: "unregistered"; readonly cluster: ClusterName }
  | { readonly outcome: "notRegistered" | "conflict" };

/** Lets a principal speak no longer; what it said stays. It is heard for up to a minute more (SenderRegistry). */
export async function unregisterPrincipal(meta: MetaStore, principalId: string, now: Instant): Promise<Unregistered> {
  const stored = await meta.read("principal", principalId);
  const known = stored && readPrincipal(stored);
  if (stored === undefined || known === undefined) return { outcome: "notRegistered" };
  const record: PrincipalRecord = { unregisteredAt: now };
  const written = await meta.write("principal", principalId, canonical(record), stored.version);
  return written.outcome === "written" ? { outcome: "unregistered", cluster: known.cluster } : { outcome: "conflict" };
}

/** Every principal that may speak, by cluster and id. */
export async function listPrincipals(meta: MetaStore): Promise<readonly Principal[]> {
  const principals: Principal[] = [];
  for await (const record of listRecords(meta, "principal", "")) {
    const principal = readPrincipal(record);
    if (principal !== undefined) principals.push(principal);
  }
  return principals.sort((a, b) => compareText(a.cluster, b.cluster) || compareText(a.principalId, b.principalId));
}

/** Says which cluster goes by a name from now on, where it was made anew: the uid of its namespace kube-system. */
export async function registerKubeSystem(
  meta: MetaStore,
  cluster: ClusterName,
  kubeSystemUid: string,
): Promise<"registered" | "unchanged" | "conflict"> {
  const stored = await meta.read("cluster", cluster);
  const entry = (stored === undefined ? {} : JSON.parse(stored.value)) as ClusterRegistration;
  if (entry.kubeSystemUid === kubeSystemUid) return "unchanged";
  const value = canonical({ ...entry, kubeSystemUid });
  const { outcome } = await meta.write("cluster", cluster, value, stored?.version ?? 0);
  return outcome === "written" ? "registered" : "conflict";
}

function readPrincipal({ key, value }: MetaRecord): Principal | undefined {
  const { cluster: name, registeredAt, arn } = JSON.parse(value) as PrincipalRecord;
  const cluster = decodeClusterName(name);
  if (cluster === undefined) return undefined;
  return {
    principalId: key,
    cluster,
    ...(registeredAt !== undefined && { registeredAt }),
    ...(arn !== undefined && { arn }),
  };
}
