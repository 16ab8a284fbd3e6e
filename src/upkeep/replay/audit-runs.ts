import { canonical } from "../../job/model/canonical.ts";
import { emptyRun, type RunRecord } from "../../explain/run/run-record.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { StateStore } from "../../ports/jobs.ts";
import type { RunGroup } from "../../projection/group-facts.ts";
import { runsBelow } from "../../parents/run/object-above.ts";
import { readableRecord, type RunChange, storedRecords, withChange } from "../../projection/run-state/project-run.ts";
import { encodeRun } from "../../projection/run-state/run-state.ts";

export interface AuditedRuns {
  readonly jobs: Pick<StateStore, "read">;
  readonly runs: Pick<StateStore, "read">;
}

/**
 * What a stored run, or one below it, lacks of facts and of what its Jobs show, as a sentence; `undefined` for nothing.
 * Joining what is settled changes no complete run. Causes and labels are left out: a later release may derive them
 * differently.
 */
export async function lackingInRun(stores: AuditedRuns, { key, ...group }: RunGroup): Promise<string | undefined> {
  const lacking = await lackingIn(stores, { key, ...group });
  if (lacking !== undefined) return lacking;
  const record = await storedRecords(stores.runs)(key);
  for (const jobUid of record === undefined ? [] : runsBelow(key.jobUid, record.parents)) {
    const below = { key: { ...key, jobUid }, facts: [], jobs: new Set<JobUid>() };
    const found = await lackingIn(stores, below);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function lackingIn({ jobs, runs }: AuditedRuns, group: RunChange): Promise<string | undefined> {
  const { key } = group;
  const stored = await runs.read(key);
  const known = stored === undefined ? emptyRun(key.jobUid) : readableRecord(key.jobUid, stored);
  if (known === undefined) return `The stored run ${key.jobUid} cannot be decoded.`;
  const joined = await withChange({ jobs, recordAt: storedRecords(runs) }, known, group);
  if (isSame(known, joined, group)) return undefined;
  return stored === undefined ? `The projection has no run ${key.jobUid}.` : `It is missing from run ${key.jobUid}.`;
}

function isSame(known: RunRecord, joined: RunRecord, { jobs }: RunChange): boolean {
  const [before, after] = [known, joined].map((record) => encodeRun({ ...record, jobs: new Map() }));
  if (before === undefined || after === undefined || Buffer.compare(before, after) !== 0) return false;
  return [...jobs].every((uid) => shownOf(known, uid) === shownOf(joined, uid));
}

/** What a run shows of a Job: its states and times. */
function shownOf({ jobs }: RunRecord, uid: string): string {
  const member = jobs.get(uid);
  return canonical(member && [member.job, member.endedAt]);
}
