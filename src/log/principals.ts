import { compareText } from "../job/model/compare-text.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { clusterRecord } from "../ports/records/cluster-record.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { decodeSender } from "../ports/registrations/registration-codec.ts";
import type { Registration, Registrations, SenderRegistration } from "../ports/registrations/registrations.ts";

/** An IAM principal and the cluster that it may send for. */
export interface Principal {
  readonly principalId: string;
  readonly cluster: ClusterName;
  readonly registeredAt: Instant;
  readonly arn?: string;
}

export type Registered =
  | { readonly outcome: "registered" | "unchanged" }
  /** It is registered for another cluster: a principal sends for one cluster only. */
  | { readonly outcome: "registeredElsewhere"; readonly cluster: ClusterName }
  /** The parameter of the principal contains something else, which registers nobody. */
  | { readonly outcome: "invalid" }
  /** Another command changed the registration at the same time. */
  | { readonly outcome: "conflict" };

/** Lets a principal send for a cluster, in addition to the registered ones. */
export async function registerPrincipal(
  registrations: Registrations,
  { cluster, principalId, arn }: Pick<Principal, "cluster" | "principalId" | "arn">,
): Promise<Registered> {
  const value: SenderRegistration = { cluster, ...(arn !== undefined && { arn }) };
  const written = { principalId, value: JSON.stringify(value), isNew: true };
  if ((await registrations.write("senders", written)) === "written") return { outcome: "registered" };
  const stored = (await registrations.list("senders")).find((each) => each.principalId === principalId);
  if (stored === undefined) return { outcome: "conflict" };
  const current = principalIn(stored);
  if (current === undefined) return { outcome: "invalid" };
  if (current.cluster === cluster) return { outcome: "unchanged" };
  return { outcome: "registeredElsewhere", cluster: current.cluster };
}

/** Every registered principal, by cluster and id. */
export async function listPrincipals(registrations: Pick<Registrations, "list">): Promise<readonly Principal[]> {
  const principals = (await registrations.list("senders")).flatMap((each) => principalIn(each) ?? []);
  return principals.sort((a, b) => compareText(a.cluster, b.cluster) || compareText(a.principalId, b.principalId));
}

/** The principal that a parameter registers. */
export function principalIn({ principalId, value, at }: Registration): Principal | undefined {
  const sender = decodeSender(value);
  const cluster = decodeClusterName(sender?.cluster);
  if (sender === undefined || cluster === undefined) return undefined;
  const { arn } = sender;
  return { principalId, cluster, registeredAt: at, ...(arn !== undefined && { arn }) };
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
