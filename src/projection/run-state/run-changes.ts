import { type Fact, isRunFact, type RunFact } from "../../job/model/fact.ts";
import { type ClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import { factsByRun } from "../../parents/run/object-above.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { RunChange } from "./project-run.ts";

/** Runs by their uid, in the order in which they are named first. */
export class RunsByUid<Run> {
  readonly #runs = new Map<string, Run>();
  readonly #make: (key: JobKey) => Run;

  constructor(make: (key: JobKey) => Run) {
    this.#make = make;
  }

  get all(): readonly Run[] {
    return [...this.#runs.values()];
  }

  has({ cluster, jobUid }: JobKey): boolean {
    return this.#runs.has(`${cluster}#${jobUid}`);
  }

  /** `undefined` for a uid that is no valid key, which only the owner reference of a Job can have. */
  at(cluster: ClusterName, runUid: string | undefined): Run | undefined {
    const jobUid = decodeJobUid(runUid);
    if (jobUid === undefined) return undefined;
    const name = `${cluster}#${jobUid}`;
    const run = this.#runs.get(name) ?? this.#make({ cluster, jobUid });
    this.#runs.set(name, run);
    return run;
  }
}

interface CollectedRun extends RunChange {
  readonly facts: RunFact[];
  readonly jobs: Set<JobUid>;
}

/** What some segments say about runs: the facts about each, and its Jobs. */
export class RunChanges {
  readonly #runs = new RunsByUid((key): CollectedRun => ({ key, facts: [], jobs: new Set() }));

  get all(): readonly RunChange[] {
    return this.#runs.all;
  }

  has(key: JobKey): boolean {
    return this.#runs.has(key);
  }

  /** The facts about a run; none of a run that the segments do not name. */
  factsOf({ cluster, jobUid }: JobKey): readonly RunFact[] {
    return this.has({ cluster, jobUid }) ? (this.#runs.at(cluster, jobUid)?.facts ?? []) : [];
  }

  addRun({ cluster, jobUid }: JobKey): void {
    this.#runs.at(cluster, jobUid);
  }

  addFacts(cluster: ClusterName, facts: readonly Fact[]): void {
    for (const [runUid, fact] of facts.filter(isRunFact).flatMap(factsByRun)) {
      this.#runs.at(cluster, runUid)?.facts.push(fact);
    }
  }

  addJob({ cluster, jobUid }: JobKey, runUid: string | undefined): void {
    this.#runs.at(cluster, runUid)?.jobs.add(jobUid);
  }
}
