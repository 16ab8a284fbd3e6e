import { sumOfUsage } from "../../job/usage/usage.ts";
import { identityOf, type ReadRun, worse } from "./answer-run.ts";
import { firstFailureOf } from "./run-job-of.ts";
import type { PodsOfRun, RunRecord } from "./run-record.ts";

/** A run with its name. */
export interface NamedRecord {
  readonly identity: ReadRun["identity"];
  readonly record: RunRecord;
}

/**
 * The runs of these records, each once. A record is kept for each object that starts Jobs. Those whose outermost object
 * is the same belong to one run: a TrainJob and its JobSets. What has only the name of a run belongs to it, if no other
 * run has that name.
 */
export function joinedRuns(records: Iterable<RunRecord>): readonly NamedRecord[] {
  const named = [...records].flatMap((record) => {
    const identity = identityOf(record);
    return identity === undefined ? [] : [{ identity, record }];
  });
  const runs = [...Map.groupBy(named, ({ identity }) => keyOf(identity)).values()].map(joinAll);
  const withUid = Map.groupBy(
    runs.filter(({ identity }) => identity.uid !== undefined),
    ({ identity }) => nameKeyOf(identity),
  );
  const owners = runs.map((run) => ownerByName(run, withUid) ?? run);
  return [...Map.groupBy(runs, (_, index) => owners[index]).entries()].map(([owner, parts]) =>
    joinAll(owner === undefined ? parts : [owner, ...parts.filter((part) => part !== owner)]),
  );
}

function ownerByName(
  { identity }: NamedRecord,
  withUid: ReadonlyMap<string, readonly NamedRecord[]>,
): NamedRecord | undefined {
  if (identity.uid !== undefined) return undefined;
  const [only, ...others] = withUid.get(nameKeyOf(identity)) ?? [];
  return others.length === 0 ? only : undefined;
}

/** The runs of several series may have equal names. */
function keyOf(identity: ReadRun["identity"]): string {
  return identity.uid ?? `${nameKeyOf(identity)}/${identity.series?.name ?? ""}`;
}

function nameKeyOf({ namespace, kind, name }: ReadRun["identity"]): string {
  return `${namespace}/${kind}/${name}`;
}

function joinAll(parts: readonly NamedRecord[]): NamedRecord {
  const [first, ...others] = parts;
  if (first === undefined) throw new RangeError("A run has at least one record.");
  return others.reduce(join, first);
}

function join(a: NamedRecord, b: NamedRecord): NamedRecord {
  const [starter, other] = startsJobs(b) > startsJobs(a) ? [b.record, a.record] : [a.record, b.record];
  const pods = joinPods(a.record.pods, b.record.pods);
  const record: RunRecord = {
    uid: starter.uid,
    parents: new Map([...other.parents, ...starter.parents]),
    jobs: new Map([...other.jobs, ...starter.jobs]),
    ...(pods !== undefined && { pods }),
  };
  const series = a.identity.series ?? b.identity.series;
  return { identity: { ...a.identity, ...(series !== undefined && { series }) }, record };
}

/** The attempts of a run are those of the object that starts its Jobs, which is below the outermost one. */
function startsJobs({ record: { uid, parents, jobs }, identity }: NamedRecord): number {
  return (parents.has(uid) ? 2 : 0) + (jobs.size > 0 ? 2 : 0) + (uid === identity.uid ? 0 : 1);
}

/** The cause is that of the Pods of which one failed first. */
function joinPods(a: PodsOfRun | undefined, b: PodsOfRun | undefined): PodsOfRun | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [failedA = Infinity, failedB = Infinity] = [a, b].map(({ attempts }) => firstFailureOf(attempts)?.at);
  const { cause } = failedB < failedA ? b : a;
  return {
    of: a.of,
    externalIds: commonIds(a.externalIds, b.externalIds),
    attempts: [...a.attempts, ...b.attempts],
    level: worse(a.level, b.level),
    ...(cause !== undefined && { cause }),
    ...usageOfBoth(a, b),
  };
}

function usageOfBoth({ usage: a }: PodsOfRun, { usage: b }: PodsOfRun): Pick<PodsOfRun, "usage"> {
  return a === undefined || b === undefined ? {} : { usage: sumOfUsage([a, b]) };
}

/** The ids that both have. */
export function commonIds(a: PodsOfRun["externalIds"], b: PodsOfRun["externalIds"]): PodsOfRun["externalIds"] {
  return Object.fromEntries(Object.entries(a).filter(([id, value]) => b[id] === value));
}
