import type { Instant } from "../../job/model/instant.ts";
import { isBelow } from "../../parents/run/object-above.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { searchableIds } from "../../parents/external-ids.ts";
import type { ParentCondition } from "../../job/model/fact.ts";
import { type ReadRun, readRun, workloadsOf } from "../../explain/run/answer-run.ts";
import { jobNamesOf, type RunMember, type RunRecord } from "../../explain/run/run-record.ts";
import type { JobRow } from "../../ports/job-row.ts";

/** A row without the record, which is its summary. */
type RunRow = Omit<JobRow, "summary">;

/** The list entry of a run; `undefined` if nothing names it. */
export function rowOfRun(record: RunRecord): RunRow | undefined {
  const read = readRun(record);
  if (read === undefined) return rowOfObject(record);
  const { identity, parent, derived, own } = read;
  const { namespace, name } = identity;
  const members = [...own.jobs.values()];
  const created = [parent?.first?.createdAt, ...members.map(({ job }) => job.createdAt)];
  const endedAt = endOf(members, read);
  return {
    namespace,
    name,
    createdAt: Math.min(...created.filter((at) => at !== undefined)),
    phase: endedAt === undefined ? "A" : "F",
    ...(endedAt !== undefined && { endedAt }),
    attention: derived.verdict.state === "Failed",
    ...externalIdOf(members),
    jobNames: jobNamesOf(own),
  };
}

/** DynamoDB limits the key of a partition to 2,048 bytes. */
const MAX_ID_BYTES = 1_024;

/** The id of another system by which the run is found, if all of its Jobs have it. */
function externalIdOf(members: readonly RunMember[]): Pick<JobRow, "externalId"> {
  const [first] = members;
  for (const id of searchableIds(first?.externalIds ?? {})) {
    const value = first?.externalIds[id];
    if (!members.every(({ externalIds }) => externalIds[id] === value)) continue;
    const externalId = `${id}=${value}`;
    if (Buffer.byteLength(externalId) <= MAX_ID_BYTES) return { externalId };
  }
  return {};
}

/**
 * A Job on its own that Kueue admits, or a TrainJob, whose run is that of its JobSet. No list shows it as a run; the
 * entry is for its expiry. That of a TrainJob which was not observed begins with the creation of its JobSet.
 */
function rowOfObject(record: RunRecord): RunRow | undefined {
  const { uid, parents } = record;
  const [link] = parents.values();
  const object = workloadsOf(record).at(-1) ?? parents.get(uid) ?? link;
  if (object?.first === undefined) return undefined;
  const { of, namespace, name, owner, createdAt } = object.first;
  const endedAt = isBelow(object, uid) ? createdAt : endOfObject(object);
  return {
    namespace,
    name: of === "Workload" ? (owner?.name ?? name) : name,
    createdAt,
    ...(endedAt === undefined ? { phase: "A" } : { phase: "F", endedAt }),
    attention: false,
  };
}

function endOfObject({ transitions, deleted }: ParentRecord): Instant | undefined {
  return [...transitions.values()].find(isEnd)?.lastTransitionAt ?? deleted?.at;
}

/** Of a Workload and of a TrainJob. */
const ENDS: ReadonlySet<string> = new Set(["Finished", "Complete", "Failed"]);

function isEnd({ type, status }: ParentCondition): boolean {
  return ENDS.has(type) && status === "True";
}

/** A run that is not final may go on, unless nothing but its Jobs is known and all of them have ended. */
function endOf(members: readonly RunMember[], { parent, derived }: ReadRun): Instant | undefined {
  const { verdict, finishedAt, deletedAt } = derived;
  const ends = members.map(({ endedAt }) => endedAt);
  if (ends.includes(undefined) || (parent !== undefined && !verdict.final)) return undefined;
  return Math.max(...[...ends, finishedAt, deletedAt, verdict.since].filter((at) => at !== undefined));
}
