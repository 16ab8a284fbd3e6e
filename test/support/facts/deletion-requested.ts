import type { RequestHinted } from "../../../src/job/model/fact.ts";
import { parentObserved } from "./parent-facts.ts";

/** The audit event of a request by `alice` to delete JobSet "train" of namespace "ml", with the changes of a test. */
export function deletionRequested(requestedAt: number, said: Partial<RequestHinted> = {}): RequestHinted {
  const { epoch, resourceVersion, namespace, name } = parentObserved();
  return {
    epoch,
    resourceVersion,
    at: requestedAt,
    kind: "RequestHinted",
    hintId: "a1#ResponseComplete",
    target: { kind: "JobSet", namespace, name },
    verb: "delete",
    user: "alice",
    code: 200,
    requestedAt,
    ...said,
  };
}

/** The hints of a cluster with these requests about JobSet "train". */
export function hintsOf(...requests: readonly RequestHinted[]) {
  return new Map([["JobSet/ml/train", requests]]);
}
