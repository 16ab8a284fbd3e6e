import type { Attribution } from "../../job/attribution/attribution.ts";
import { attributeToRequest, firstDeletionRequest } from "../../job/attribution/deletion-request.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { HintTarget } from "../../job/model/fact.ts";
import type { ParentRecord } from "../status/parent-record.ts";

/** The object of a run, as hints name it; `undefined` until its deletion was observed. */
export function deletedTarget({ first, deleted }: ParentRecord): Omit<HintTarget, "uid"> | undefined {
  if (first === undefined || deleted === undefined) return undefined;
  return { kind: first.of, namespace: first.namespace, name: first.name };
}

/** Who deleted the object of a run. Only an audit log shows it: nothing is inferred. */
export function attributeRunDeletion(
  parent: ParentRecord,
  context: Pick<ClusterContext, "hints">,
): Attribution | undefined {
  const target = deletedTarget(parent);
  if (target === undefined) return undefined;
  const request = firstDeletionRequest({ target, uid: parent.uid, from: parent.first?.createdAt ?? 0 }, context);
  return request && attributeToRequest(request, { object: "Run", evidence: [] });
}
