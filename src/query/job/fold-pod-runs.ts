import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import { JobFold } from "../../job/model/job-record.ts";
import { deriveRecord } from "../../explain/derived-job.ts";
import { presentRecord } from "../../explain/present-job.ts";
import type { PodRun, RunPod } from "../../kubernetes/runs/translate-run-pod.ts";
import { commonIds } from "../../explain/run/joined-runs.ts";
import type { RunFold } from "./fold-runs.ts";

/** Collects the Pods without a Job of a recording, by their run. */
export class PodRunFold {
  readonly #pods = new JobFold();
  readonly #runs = new Map<string, PodRun>();
  /** The latest instant of any fact; 0 without facts. */
  latestAt: Instant = 0;

  add(pod: RunPod | undefined): void {
    if (pod === undefined) return;
    const known = this.#runs.get(pod.run.key);
    // The first Pod says what the run is; ids that differ between its Pods are not its own.
    const externalIds = commonIds(known?.externalIds ?? pod.run.externalIds, pod.run.externalIds);
    this.#runs.set(pod.run.key, { ...(known ?? pod.run), externalIds });
    for (const fact of pod.facts) {
      this.latestAt = Math.max(this.latestAt, fact.at);
      this.#pods.add(fact);
    }
  }

  /** Adds each run with its Pods to `runs`. */
  addTo(
    runs: RunFold,
    options: { readonly cluster: string; readonly clusterContext: ClusterContext; readonly now: Instant },
  ): void {
    for (const [uid, record] of this.#pods.records) {
      const run = this.#runs.get(uid);
      if (run === undefined) continue;
      const derived = deriveRecord(record, options);
      runs.addPods(run, presentRecord(derived, record, { ...options, attempts: true }), derived.usage);
    }
  }
}
