import type { JobCreated } from "../../job/model/fact.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import { pastRunOf, type PastRuns, withPastRun } from "../../parents/series/past-run.ts";
import { seriesKeyOf } from "../../parents/series/series-key.ts";

/** Collects the successful runs of each series of a recording. A Job may be added again when more is known of it. */
export class SeriesFold {
  readonly #series = new Map<string, PastRuns>();

  add(job: JobObject): void {
    const run = pastRunOf(job);
    const key = run && job.created && seriesKeyOf(job.created);
    if (run !== undefined && key !== undefined) this.#series.set(key, withPastRun(this.#series.get(key) ?? [], run));
  }

  /** The past runs of the Job's series; `undefined` for a Job without one. */
  runsOf(created: JobCreated | undefined): PastRuns | undefined {
    const key = created && seriesKeyOf(created);
    return key === undefined ? undefined : (this.#series.get(key) ?? []);
  }
}
