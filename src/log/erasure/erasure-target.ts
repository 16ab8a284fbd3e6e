import type { Instant } from "../../job/model/instant.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Hold } from "../../ports/expiry/holds.ts";
import { Erasure } from "./erasure.ts";
import type { ErasureScope } from "./erasure-record.ts";
import { newSalt, saltedHash } from "./salted-names.ts";

/** What an operator asks to erase: the Jobs of a name, some of them by uid, a namespace, or a cluster. */
export type ErasureTarget =
  | { readonly level: "cluster"; readonly cluster: ClusterName }
  | { readonly level: "namespace"; readonly cluster: ClusterName; readonly namespace: string }
  | {
      readonly level: "job";
      readonly cluster: ClusterName;
      readonly namespace: string;
      readonly name: string;
      /** Only the Job with this uid, of several that had the name. */
      readonly uid?: string;
    };

export interface ErasureRequest {
  readonly target: ErasureTarget;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/** The scope of a new erasure. It contains the names only as salted hashes. */
export function scopeOf(
  { target, by, reason, at }: ErasureRequest,
  { id, salt }: { readonly id: string; readonly salt: string },
): ErasureScope {
  const { level, cluster } = target;
  return { id, level, cluster, salt, at, by, reason, ...hashesOf(target, salt) };
}

function hashesOf(target: ErasureTarget, salt: string): Pick<ErasureScope, "namespace" | "name" | "isOfUid"> {
  if (target.level === "cluster") return {};
  const namespace = saltedHash(salt, "namespace", target.namespace);
  if (target.level === "namespace") return { namespace };
  const name = saltedHash(salt, "job", target.namespace, target.name);
  return { namespace, name, ...(target.uid !== undefined && { isOfUid: true }) };
}

/** The hashes that an erasure of one uid has from the beginning. */
export function knownOf(target: ErasureTarget, salt: string): readonly string[] {
  return target.level === "job" && target.uid !== undefined ? [saltedHash(salt, "uid", target.uid)] : [];
}

/** Whether an erasure has this target. */
export function isErasureOf(erasure: Erasure, target: ErasureTarget): boolean {
  const { scope } = erasure;
  if (scope.level !== target.level || scope.cluster !== target.cluster) return false;
  // The scope does not say which uid.
  if (target.level === "job" && target.uid !== undefined && !erasure.isErasedJob(target.cluster, target.uid)) {
    return false;
  }
  const { namespace, name, isOfUid } = hashesOf(target, scope.salt);
  return scope.namespace === namespace && scope.name === name && scope.isOfUid === isOfUid;
}

/** The hold that forbids an erasure: on the target, on what contains it, or on something in it. */
export function holdOnTarget(holds: readonly Hold[], target: ErasureTarget): Hold | undefined {
  const scope = scopeOf({ target, by: "", reason: "", at: 0 }, { id: "", salt: newSalt() });
  return holdOnErasure(holds, new Erasure(scope));
}

/** The same for an erasure whose names are known only as hashes. */
export function holdOnErasure(holds: readonly Hold[], erasure: Erasure): Hold | undefined {
  const { level, cluster } = erasure.scope;
  return holds.find(({ held: { namespace, name, ...held } }) => {
    if (held.cluster !== cluster) return false;
    if (level === "cluster" || namespace === undefined) return true;
    if (!erasure.isIn(namespace)) return false;
    return level === "namespace" || name === undefined || erasure.isNamed(namespace, name);
  });
}
