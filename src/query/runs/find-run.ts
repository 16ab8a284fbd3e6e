import { ownRecord, type RunRecord } from "../../explain/run/run-record.ts";
import { answerRun, seenAtOf } from "../../explain/run/answer-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { isOfKind } from "../../parents/run/run-names.ts";
import { decodeRun } from "../../projection/run-state/run-state.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { clusterNames, isKnownCluster } from "../clusters/clusters.ts";
import type { RunPorts } from "../ports.ts";
import { answerRow } from "./answer-row.ts";

/** The name of a run. The uid selects one of several runs that had this name. */
export interface RunReference {
  readonly cluster: ClusterName;
  readonly namespace: string;
  /** In any of its names. */
  readonly kind: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

export interface ScopedRun {
  readonly scope: Scope;
  readonly wanted: RunReference;
}

export interface FoundRun {
  readonly outcome: "found";
  readonly record: RunRecord;
  readonly answer: RunAnswer;
  /** The uids of other runs of this name, newest first. Of one without an object, that under which it is stored. */
  readonly others: readonly string[];
}

export type UnknownRun =
  | { readonly outcome: "unknownCluster"; readonly near: readonly string[] }
  | {
      readonly outcome: "unknownRun";
      /** `Kind/name` of similar runs in the namespace. */
      readonly near: readonly string[];
    };

/** The most runs of one name that are searched. */
const MAX_GENERATIONS = 50;
/** The newest runs of the namespace, whose names are compared with an unknown one. */
const MAX_NAMES = 200;

/** The newest run of the name, or the one with the uid. Two requests to DynamoDB; four for an unknown one. */
export async function findRun(ports: RunPorts, { scope, wanted }: ScopedRun): Promise<FoundRun | UnknownRun> {
  const found = await findRunByName(ports, { scope, wanted });
  if (found !== undefined) return found;
  const { cluster } = wanted;
  if (!(await isKnownCluster(ports.meta, scope, cluster))) {
    return { outcome: "unknownCluster", near: await clusterNames(ports.meta, scope) };
  }
  return { outcome: "unknownRun", near: await runsNear(ports, { scope, wanted }) };
}

/** The same without suggestions, for callers that ask repeatedly. */
export async function findRunByName({ runs }: RunPorts, { scope, wanted }: ScopedRun): Promise<FoundRun | undefined> {
  const { cluster, namespace, kind, name, uid } = wanted;
  if (!mayRead(scope, cluster, namespace)) return undefined;
  const { rows } = await runs.listByName({ cluster, namespace, name }, { limit: MAX_GENERATIONS });
  const named = rows.flatMap(({ jobUid, summary }) => {
    const record = decodeRun(jobUid, summary);
    const answer = answerRun(record, { cluster, now: seenAtOf(record) });
    return answer === undefined || !isOfKind(answer.kind, kind) ? [] : [{ record: ownRecord(record), answer }];
  });
  const one = uid === undefined ? named[0] : named.find(({ record, answer }) => [record.uid, answer.uid].includes(uid));
  if (one === undefined) return undefined;
  const others = named.filter((other) => other !== one).map(({ record, answer }) => answer.uid ?? record.uid);
  return { outcome: "found", ...one, others };
}

async function runsNear({ runs }: RunPorts, { scope, wanted }: ScopedRun): Promise<readonly string[]> {
  const { cluster, namespace, name } = wanted;
  if (!mayRead(scope, cluster, namespace)) return [];
  const { rows } = await runs.list({ cluster, namespace }, { limit: MAX_NAMES });
  const names = new Map(
    rows.flatMap((row) => {
      const run = answerRow({ ...row, cluster });
      return run === undefined ? [] : [[run.name, `${run.kind}/${run.name}`] as const];
    }),
  );
  const same = names.get(name);
  const near = nearestNames(
    name,
    [...names.keys()].filter((known) => known !== name),
  );
  return [...(same === undefined ? [] : [same]), ...near.map((known) => names.get(known) ?? known)];
}
