import { canonical } from "../../job/model/canonical.ts";
import { emptyRun, joinRunFacts, type RunRecord } from "../../explain/run/run-record.ts";
import type { StateStore } from "../../ports/jobs.ts";
import type { RunGroup } from "../../projection/group-facts.ts";
import { readableRecord, withJobs } from "../../projection/run-state/project-run.ts";
import { encodeRun } from "../../projection/run-state/run-state.ts";

export interface AuditedRuns {
  readonly jobs: Pick<StateStore, "read">;
  readonly runs: Pick<StateStore, "read">;
}

/**
 * What a stored run lacks of facts and of what its Jobs show, as a sentence; `undefined` for nothing. Joining what is
 * settled changes no complete run. Causes and labels are left out: a later release may derive them differently.
 */
export async function lackingInRun({ jobs, runs }: AuditedRuns, group: RunGroup): Promise<string | undefined> {
  const { key, facts } = group;
  const stored = await runs.read(key);
  const known = stored === undefined ? emptyRun(key.jobUid) : readableRecord(key.jobUid, stored);
  if (known === undefined) return `The stored run ${key.jobUid} cannot be decoded.`;
  const joined = await withJobs(jobs, joinRunFacts(known, facts), group);
  if (isSame(known, joined, group)) return undefined;
  return stored === undefined ? `The projection has no run ${key.jobUid}.` : `It is missing from run ${key.jobUid}.`;
}

function isSame(known: RunRecord, joined: RunRecord, { jobs }: RunGroup): boolean {
  const [before, after] = [known, joined].map((record) => encodeRun({ ...record, jobs: new Map() }));
  if (before === undefined || after === undefined || Buffer.compare(before, after) !== 0) return false;
  return [...jobs].every((uid) => shownOf(known, uid) === shownOf(joined, uid));
}

/** What a run shows of a Job: its states and times. */
function shownOf({ jobs }: RunRecord, uid: string): string {
  const member = jobs.get(uid);
  return canonical(member && [member.job, member.endedAt]);
}
