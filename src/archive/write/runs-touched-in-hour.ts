import { type Fact, isRunFact, type RunFact } from "../../job/model/fact.ts";
import { type ClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { RunChange } from "../../projection/run-state/project-run.ts";

/** What the segments of an hour say about one run. */
export interface TouchedRun extends RunChange {
  readonly facts: RunFact[];
  readonly jobs: Set<JobUid>;
}

export interface JobOfRun {
  readonly runUid: string;
  readonly jobUid: JobUid;
}

/**
 * The runs that the segments of an hour are about, in order of what is added. A run names no segments, so that the
 * facts about it are kept, to be joined to what is stored: the row lacks nothing of the hour.
 */
export class TouchedRuns {
  readonly #runs = new Map<string, TouchedRun>();

  get all(): readonly TouchedRun[] {
    return [...this.#runs.values()];
  }

  addFacts(cluster: ClusterName, facts: readonly Fact[]): void {
    for (const fact of facts) if (isRunFact(fact)) this.#at(cluster, fact.runUid)?.facts.push(fact);
  }

  addJob(cluster: ClusterName, { runUid, jobUid }: JobOfRun): void {
    this.#at(cluster, runUid)?.jobs.add(jobUid);
  }

  /** An uid that is no valid key is that of no run. */
  #at(cluster: ClusterName, runUid: string): TouchedRun | undefined {
    const jobUid = decodeJobUid(runUid);
    if (jobUid === undefined) return undefined;
    const id = `${cluster}#${jobUid}`;
    const known = this.#runs.get(id) ?? { key: { cluster, jobUid }, facts: [], jobs: new Set() };
    this.#runs.set(id, known);
    return known;
  }
}
