import type { ClusterName } from "../job/model/ids.ts";
import type { MetaStore } from "../ports/meta.ts";
import { isPrincipalId, principalIdOf } from "../ports/principal-id.ts";
import { clusterRecord } from "../ports/records/cluster-record.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import type { Segment } from "../segment/segment.ts";
import { PROBE_CLUSTER } from "../ports/deployment/limits.ts";

/**
 * The IAM principal that sent a message, and the cluster that it may send for. SQS reports the principal (`SenderId`),
 * so a message cannot forge it. The cluster that a segment names is compared with it, and never trusted.
 */
export type Sender =
  /** Open mode: any principal may send for any cluster. For trials and emulators. */
  | { readonly kind: "open"; readonly senderId?: string }
  | RegisteredSender
  | AuditLogsSender
  /** `senderId` is absent where the queue did not report it. */
  | { readonly kind: "unregistered"; readonly senderId?: string };

export interface RegisteredSender {
  readonly kind: "registered";
  readonly senderId: string;
  readonly cluster: ClusterName;
  /** The uid of the cluster's namespace kube-system; absent until its first segment. */
  readonly kubeSystemUid?: string;
}

/** The function of this stage that reads audit logs: it may send deletion requests of these clusters, nothing else. */
export interface AuditLogsSender {
  readonly kind: "auditLogs";
  readonly senderId: string;
  readonly clusters: ReadonlySet<string>;
}

/** The sender with the stored identity of its cluster. */
export async function withIdentity(
  meta: MetaStore,
  { senderId, cluster }: Omit<RegisteredSender, "kubeSystemUid">,
): Promise<RegisteredSender> {
  const kubeSystemUid = (await readRecord(meta, clusterRecord, cluster))?.value.kubeSystemUid;
  return { kind: "registered", senderId, cluster, ...(kubeSystemUid !== undefined && { kubeSystemUid }) };
}

/** Why this sender may not send this segment, and what to do; `undefined` where it may. */
export function senderProblem(sender: Sender, segment: Segment): string | undefined {
  const { cluster, kubeSystemUid } = segment;
  if (cluster === PROBE_CLUSTER) return undefined;
  switch (sender.kind) {
    case "open":
      return undefined;
    case "unregistered":
      return unregisteredProblem(sender.senderId, cluster);
    case "auditLogs":
      return auditLogsProblem(sender, segment);
    case "registered":
      return sender.cluster === cluster
        ? identityProblem(sender, kubeSystemUid)
        : `Principal ${principalIdOf(sender.senderId)} is registered for cluster ${sender.cluster} and sent a ` +
            `segment of cluster ${cluster}. Give the exporter the registered name, or register the principal of ` +
            `cluster ${cluster}.`;
  }
}

function unregisteredProblem(senderId: string | undefined, cluster: ClusterName): string {
  if (senderId === undefined) {
    return (
      `The queue did not report the sender of this segment of cluster ${cluster}. Let the function receive ` +
      "the attribute SenderId."
    );
  }
  const id = principalIdOf(senderId);
  const problem = `Principal ${id} is not registered and sent a segment of cluster ${cluster}.`;
  // For example the address of an anonymous sender.
  if (!isPrincipalId(id)) return `${problem} ${UNKNOWN_KIND}`;
  return (
    `${problem} To accept it: \`outlive clusters register ${cluster} --principal-id ${id}\`, then \`outlive ` +
    `redrive\`.`
  );
}

function auditLogsProblem({ clusters }: AuditLogsSender, { cluster, facts }: Segment): string | undefined {
  if (!clusters.has(cluster)) {
    return `The function that reads audit logs sent a segment of cluster ${cluster}, and no log group is of it.`;
  }
  const other = facts.find(({ kind }) => kind !== "RequestHinted");
  if (other === undefined) return undefined;
  return `The function that reads audit logs may send RequestHinted only, and sent ${other.kind}. Deploy one release.`;
}

const UNKNOWN_KIND = "Only a role, a user or the root of an account can be registered. Send as one of these.";

/**
 * Uids of the API server have 36 characters (RFC 9562). Other uids may differ. Shell characters are excluded, because
 * operators type them.
 */
export function isKubeSystemUid(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text);
}

function identityProblem(
  { cluster, kubeSystemUid: registered }: RegisteredSender,
  received: string | undefined,
): string | undefined {
  if (received !== undefined && !isKubeSystemUid(received)) return "The segment's uid of kube-system is invalid.";
  if (registered === undefined || received === undefined || registered === received) return undefined;
  return (
    `The segment comes from a cluster whose kube-system has uid ${received}, and cluster ${cluster} has ` +
    `${registered}. If ${cluster} was rebuilt: \`outlive clusters register ${cluster} --kube-system-uid ` +
    `${received}\`, then \`outlive redrive\`.`
  );
}

/**
 * Stores the identity in a cluster's first segment, so that no other cluster can use its name. Returns the updated
 * sender: where two clusters sent their first segment at the same time, one of them is rejected.
 */
export async function settleIdentity(meta: MetaStore, sender: Sender, { kubeSystemUid }: Segment): Promise<Sender> {
  if (sender.kind !== "registered" || sender.kubeSystemUid !== undefined || kubeSystemUid === undefined) {
    return sender;
  }
  const stored = await readRecord(meta, clusterRecord, sender.cluster);
  const known = stored?.value.kubeSystemUid;
  if (known !== undefined) return { ...sender, kubeSystemUid: known };
  const write = { key: sender.cluster, value: { ...stored?.value, kubeSystemUid }, expected: stored?.version ?? 0 };
  const { outcome } = await writeRecord(meta, clusterRecord, write);
  // If the identity is still unset after a conflict, the next segment sets it.
  return outcome === "written" ? { ...sender, kubeSystemUid } : withIdentity(meta, sender);
}
