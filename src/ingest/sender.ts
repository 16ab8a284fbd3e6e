import { canonical } from "../job/model/canonical.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { MetaStore } from "../ports/meta.ts";
import { isPrincipalId, principalIdOf } from "../ports/principal-id.ts";
import type { Segment } from "../segment/segment.ts";
import { PROBE_CLUSTER } from "./probe-cluster.ts";

/**
 * Who sent a message, and for which cluster it may speak. SQS itself says who sent it (`SenderId`), so a message cannot lie about it; what the segment says
 * of its cluster is compared with this and trusted nowhere.
 */
export type Sender =
  /** Open mode: whoever can send may speak for any cluster. For trials and emulators. */
  | { readonly kind: "anyone"; readonly senderId?: string }
  | RegisteredSender
  /** Nobody registered this principal. `senderId` is absent where the queue told none. */
  | { readonly kind: "stranger"; readonly senderId?: string };

export interface RegisteredSender {
  readonly kind: "registered";
  readonly senderId: string;
  readonly cluster: ClusterName;
  /** The uid of namespace kube-system that the cluster has; absent until its first segment told. */
  readonly kubeSystemUid?: string;
}

/** What kind `principal` holds, keyed by {@link principalIdOf}. A record without `cluster` was unregistered: it stays, to tell when. */
export interface PrincipalRecord {
  readonly cluster?: string;
  readonly registeredAt?: number;
  readonly unregisteredAt?: number;
  /** What the id was looked up from, for people: names are used again, so nothing compares it. */
  readonly arn?: string;
}

/** Asks who `senderId` is. Three requests at most; {@link SenderRegistry} remembers the answers. */
export async function identifySender(meta: MetaStore, senderId: string | undefined): Promise<Sender> {
  if (senderId === undefined || senderId === "") return { kind: "stranger" };
  const record = await meta.read("principal", principalIdOf(senderId));
  const cluster = decodeClusterName(record && (JSON.parse(record.value) as PrincipalRecord).cluster);
  if (cluster === undefined) return { kind: "stranger", senderId };
  const kubeSystemUid = await registeredUid(meta, cluster);
  return { kind: "registered", senderId, cluster, ...(kubeSystemUid !== undefined && { kubeSystemUid }) };
}

/** Why this sender may not say this, in a sentence that says what to do; `undefined` where it may. */
export function refusalOf(sender: Sender, { cluster, kubeSystemUid }: Segment): string | undefined {
  if (cluster === PROBE_CLUSTER) return undefined;
  switch (sender.kind) {
    case "anyone":
      return undefined;
    case "stranger":
      return strangerRefusal(sender.senderId, cluster);
    case "registered":
      return sender.cluster === cluster
        ? identityRefusal(sender, kubeSystemUid)
        : `Principal ${principalIdOf(sender.senderId)} is registered for cluster ${sender.cluster} and speaks for ${cluster}. Give the exporter the registered name, or register the principal of cluster ${cluster}.`;
  }
}

function strangerRefusal(senderId: string | undefined, cluster: ClusterName): string {
  if (senderId === undefined) {
    return `The queue did not tell who sent this segment of cluster ${cluster}: have the function receive the attribute SenderId.`;
  }
  const id = principalIdOf(senderId);
  const unregistered = `Principal ${id} is not registered and speaks for cluster ${cluster}.`;
  // Others, such as an anonymous sender's address, are nobody that could be registered.
  if (!isPrincipalId(id)) return `${unregistered} ${NOBODY}`;
  return `${unregistered} If it may: \`outlive clusters register ${cluster} --principal-id ${id}\`, then \`outlive redrive\`.`;
}

const NOBODY = "Only a role, a user or an account's root can be: send as one of these.";

/** What the API server calls a uid: 36 characters (RFC 9562), in other programs others; what a person is told to type holds nothing that a shell reads. */
export function isKubeSystemUid(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text);
}

function identityRefusal({ cluster, kubeSystemUid: known }: RegisteredSender, told: string | undefined) {
  if (told !== undefined && !isKubeSystemUid(told)) return "The uid of kube-system that the segment tells is none.";
  if (known === undefined || told === undefined || known === told) return undefined;
  return `The segment comes from a cluster whose kube-system has uid ${told}, and cluster ${cluster} has ${known}. If ${cluster} was made anew: \`outlive clusters register ${cluster} --kube-system-uid ${told}\`, then \`outlive redrive\`.`;
}

/** What registration keeps beside the heartbeat in a record of kind `cluster`. */
export interface ClusterRegistration {
  readonly kubeSystemUid?: string;
}

async function registeredUid(meta: MetaStore, cluster: ClusterName): Promise<string | undefined> {
  const record = await meta.read("cluster", cluster);
  return record === undefined ? undefined : (JSON.parse(record.value) as ClusterRegistration).kubeSystemUid;
}

/**
 * A cluster's first segment says which cluster it is, from then on no other one may go by its name. Gives the sender as it is after that: where two clusters
 * came first at once, one of them is refused.
 */
export async function settleIdentity(meta: MetaStore, sender: Sender, { kubeSystemUid }: Segment): Promise<Sender> {
  if (sender.kind !== "registered" || sender.kubeSystemUid !== undefined || kubeSystemUid === undefined) {
    return sender;
  }
  const stored = await meta.read("cluster", sender.cluster);
  const entry = (stored === undefined ? {} : JSON.parse(stored.value)) as ClusterRegistration;
  if (entry.kubeSystemUid !== undefined) return { ...sender, kubeSystemUid: entry.kubeSystemUid };
  const value = canonical({ ...entry, kubeSystemUid });
  // Who lost to another writer goes unsettled this once: the next segment settles it.
  const { outcome } = await meta.write("cluster", sender.cluster, value, stored?.version ?? 0);
  return outcome === "written" ? { ...sender, kubeSystemUid } : identifySender(meta, sender.senderId);
}
