import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { ParentCondition, ParentDeleted, ParentObserved } from "../../../src/job/model/fact.ts";
import { emptyParent, joinParentFact, type ParentRecord } from "../../../src/parents/status/parent-record.ts";

/** An observation of a JobSet, with the changes of a test. Its resourceVersion is the second of `at` plus one. */
export function parentObserved(said: Partial<ParentObserved> = {}): ParentObserved {
  const at = said.at ?? 0;
  return {
    epoch: 0,
    resourceVersion: versionAt(at),
    at,
    kind: "ParentObserved",
    of: "JobSet",
    namespace: "ml",
    name: "train",
    uid: "js-1",
    runUid: "js-1",
    createdAt: 0,
    labels: {},
    fields: {},
    conditions: [],
    ...said,
  };
}

export function parentDeleted(at: number): ParentDeleted {
  const [epoch, resourceVersion] = [0, versionAt(at)];
  return {
    epoch,
    resourceVersion,
    at,
    kind: "ParentDeleted",
    of: "JobSet",
    namespace: "ml",
    name: "train",
    uid: "js-1",
    runUid: "js-1",
  };
}

/** A condition that is True since an instant. */
export function isTrue(type: string, since: number, said: Partial<ParentCondition> = {}): ParentCondition {
  return { type, status: "True", lastTransitionAt: since, ...said };
}

export function parentOf(facts: readonly (ParentObserved | ParentDeleted)[]): ParentRecord {
  const [first] = facts;
  return facts.reduce(joinParentFact, emptyParent(first?.uid ?? "js-1"));
}

function versionAt(at: number) {
  const version = decodeResourceVersion(String(Math.floor(at / 1_000) + 1));
  if (version === undefined) throw new Error(`${at} gives no resourceVersion`);
  return version;
}
