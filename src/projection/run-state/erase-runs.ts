import type { RunFact } from "../../job/model/fact.ts";
import type { JobUid } from "../../job/model/ids.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import type { RunMember, RunRecord } from "../../explain/run/run-record.ts";
import { factsByRun, objectAbove } from "../../parents/run/object-above.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { ErasedRuns } from "../../ports/erasing/erasable-views.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { projectRun, readableRecord } from "./project-run.ts";

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];
/** A projector may write the run meanwhile. Another round of the erasure finds what is left. */
const RETRY = { attempts: 8, pause: async () => undefined };

/** See ErasableViews. A run of which something is left is written again from the facts that are left. */
export async function eraseRuns(erased: ErasedRuns): Promise<number> {
  let changed = 0;
  for (const projection of PROJECTIONS) changed += await eraseFrom(erased, projection);
  return changed;
}

/** The uids of the Jobs that a run keeps. */
type KeptJobs = ReadonlySet<JobUid>;

async function eraseFrom(erased: ErasedRuns, projection: ProjectionName): Promise<number> {
  const affected = await affectedRuns(erased, projection);
  const facts = affected.size === 0 ? new Map<string, RunFact[]>() : await factsOf(erased, affected);
  const removed = new Set<JobUid>();
  for (const [jobUid, jobs] of affected) {
    const key = { cluster: erased.cluster, jobUid };
    const left = facts.get(jobUid) ?? [];
    if (left.length + jobs.size > 0) await writeWhole(erased, projection, { key, facts: left, jobs });
    else {
      await erased.eraser.removeJob(projection, key);
      removed.add(jobUid);
    }
  }
  const isRemoved = ({ cluster, jobUid }: JobKey) => cluster === erased.cluster && removed.has(jobUid);
  if (removed.size > 0) await erased.eraser.unlistJobs?.(projection, isRemoved);
  return affected.size;
}

async function writeWhole(
  { projections }: ErasedRuns,
  projection: ProjectionName,
  left: { readonly key: JobKey; readonly facts: readonly RunFact[]; readonly jobs: KeptJobs },
): Promise<void> {
  const stores = { jobs: projections.open(projection), runs: projections.runs(projection) };
  await projectRun(stores, { ...left, isWhole: true }, RETRY);
}

/** The runs with anything that is erased, and the Jobs that they keep. An unreadable run may contain the data. */
async function affectedRuns(erased: ErasedRuns, projection: ProjectionName): Promise<ReadonlyMap<JobUid, KeptJobs>> {
  const { cluster, projections, eraser } = erased;
  const runs = projections.runs(projection);
  const affected = new Map<JobUid, KeptJobs>();
  // After the objects above them, of which they have what is stored.
  const below = new Map<JobUid, KeptJobs>();
  for await (const jobUid of eraser.storedJobs(projection, cluster)) {
    const stored = await runs.read({ cluster, jobUid });
    if (stored === undefined) continue;
    const record = readableRecord(jobUid, stored);
    if (record === undefined) affected.set(jobUid, new Set());
    else if (hasErased(erased, record)) {
      const first = record.parents.get(jobUid)?.first;
      const isAbove = first === undefined || objectAbove(first) === undefined;
      (isAbove ? affected : below).set(jobUid, keptJobs(erased, record));
    }
  }
  return new Map([...affected, ...below]);
}

function hasErased(erased: ErasedRuns, { parents, jobs }: RunRecord): boolean {
  if ([...jobs.values()].some((member) => isErasedMember(erased, member))) return true;
  return [...parents.values()].flatMap(observationsOf).some((fact) => erased.isErasedFact(fact));
}

/** A parent's record as facts, one of which has all its conditions. */
function observationsOf({ first, last, deleted, attempts, transitions }: ParentRecord): readonly RunFact[] {
  const seen = [...attempts.values()].flatMap((attempt) => [attempt.first, attempt.last]);
  const conditions = [...transitions.values(), ...seen.flatMap((one) => one.conditions)];
  return [first && { ...first, conditions }, first, last, deleted].filter((fact) => fact !== undefined);
}

function keptJobs(erased: ErasedRuns, { jobs }: RunRecord): KeptJobs {
  const kept = [...jobs].filter(([, member]) => !isErasedMember(erased, member));
  return new Set(kept.flatMap(([uid]) => decodeJobUid(uid) ?? []));
}

function isErasedMember({ isErasedJob }: ErasedRuns, { namespace, job }: RunMember): boolean {
  return isErasedJob({ ...job, namespace });
}

async function factsOf(
  { factsLeft }: ErasedRuns,
  affected: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, RunFact[]>> {
  const facts = new Map<string, RunFact[]>();
  for await (const left of factsLeft()) {
    for (const [runUid, fact] of factsByRun(left)) {
      if (!affected.has(runUid)) continue;
      const known = facts.get(runUid) ?? [];
      known.push(fact);
      facts.set(runUid, known);
    }
  }
  return facts;
}
