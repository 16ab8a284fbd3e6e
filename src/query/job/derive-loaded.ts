import { type DerivedJob, deriveRecord, JobDerivation } from "../../explain/derived-job.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { recordOf, rulesOf, type LoadedJob } from "./load-job.ts";

export interface DeriveOptions {
  readonly now: Instant;
  /**
   * Milliseconds without a change after which a running Pod is reported as possibly phantom-running; unset means never.
   */
  readonly phantomAfter?: number | undefined;
  /** Called once for every Pod. */
  readonly visit?: (pod: PodRecord) => void;
}

/** Derives a Job whose Pods are read page by page. The result is the same as from all Pods at once. */
export async function deriveLoaded(loaded: LoadedJob, options: DeriveOptions): Promise<DerivedJob> {
  const { view, clusterContext } = loaded;
  const { job } = view;
  if (job.created === undefined) return deriveUnseen(loaded, options);
  const rules = rulesOf(loaded);
  const tally = await view.tally(rules);
  const { phantomAfter, visit } = options;
  const times = derivedTimes(loaded, options.now);
  const derivation = new JobDerivation({ job, rules, tally, clusterContext, ...times, phantomAfter });
  for await (const pod of loaded.allPods()) {
    derivation.visit(pod);
    visit?.(pod);
  }
  for (let pass = derivation.nextPass(); pass !== undefined; pass = derivation.nextPass()) {
    for await (const pod of loaded.pods()) pass(pod);
  }
  return derivation.derived();
}

/** A Job that was not observed itself is derived from all of its Pods together. */
async function deriveUnseen(loaded: LoadedJob, { now, phantomAfter, visit }: DeriveOptions): Promise<DerivedJob> {
  const record = await recordOf(loaded);
  if (visit !== undefined) for (const pod of record.pods.values()) visit(pod);
  return deriveRecord(record, { clusterContext: loaded.clusterContext, ...derivedTimes(loaded, now), phantomAfter });
}

/** A Job is derived as of the last data from its cluster: its own last fact, or a later heartbeat. */
export function derivedTimes(
  { view, clusterContext }: LoadedJob,
  queriedAt: Instant,
): { now: Instant; queriedAt: Instant } {
  const heardAt = Math.max(view.seenAt, clusterContext.heardAt ?? 0);
  return { now: Math.min(heardAt, queriedAt), queriedAt };
}
