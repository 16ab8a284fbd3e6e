import { decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { Owner, ParentObserved, RunFact } from "../../job/model/fact.ts";
import { decodeResourceVersion } from "../../job/model/order.ts";
import type { ParentRecord } from "../status/parent-record.ts";
import { statusOf } from "../status/statuses.ts";

/** The object for which this one starts Jobs: the TrainJob that owns a JobSet. */
export function objectAbove({ of, owner }: Pick<ParentObserved, "of" | "owner">): Owner | undefined {
  const resource = statusOf(of)?.resource;
  if (owner === undefined || resource === undefined) return undefined;
  return statusOf(owner.kind)?.startsJobsBy?.includes(resource) === true ? owner : undefined;
}

/** What a fact adds to each run, by uid. The record of the object above has a link to each that starts its Jobs. */
export function factsByRun(fact: RunFact): readonly (readonly [runUid: string, RunFact])[] {
  const above = fact.kind === "ParentObserved" ? objectAbove(fact) : undefined;
  if (fact.kind === "ParentDeleted" || above === undefined) return [[fact.runUid, fact]];
  return [
    [fact.runUid, fact],
    [above.uid, linkOf(fact)],
  ];
}

/** Whether a fact of the run is a link to another one. */
export function isLink({ runUid }: RunFact, ofRun: string): boolean {
  return runUid !== ofRun;
}

/** Equal for all observations of an object, so that it is written once. */
function linkOf({ kind, of, namespace, name, uid, runUid, createdAt, owner }: ParentObserved): ParentObserved {
  const link = { epoch: 0, resourceVersion: FIRST, at: createdAt, kind, of, namespace, name, uid, runUid, createdAt };
  return { ...link, ...(owner !== undefined && { owner }), labels: {}, fields: {}, conditions: [] };
}

const FIRST = firstVersion();

function firstVersion() {
  const version = decodeResourceVersion("1");
  if (version === undefined) throw new TypeError("1 is the first resourceVersion.");
  return version;
}

/** A TrainJob has one JobSet. Others may claim it. */
const MAX_BELOW = 32;

/** The objects that start Jobs for the object with this uid; at most {@link MAX_BELOW}, the first. */
export function runsBelow(uid: string, parents: ReadonlyMap<string, ParentRecord>): readonly JobUid[] {
  const below = [...parents.values()].filter((parent) => isBelow(parent, uid)).map((parent) => parent.uid);
  return below
    .sort()
    .slice(0, MAX_BELOW)
    .flatMap((of) => decodeJobUid(of) ?? []);
}

/** Whether an object starts Jobs for the one with this uid. */
export function isBelow({ first, uid }: ParentRecord, above: string): boolean {
  return uid !== above && first !== undefined && objectAbove(first)?.uid === above;
}
