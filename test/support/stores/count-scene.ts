import { countJobs, type CountPorts, type CountRun } from "../../../src/count/count-jobs.ts";
import { recordBatch } from "../../../src/count/record-batch.ts";
import { type VerifyRun, verifyCounts } from "../../../src/count/verify-counts.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { HourlyUsage } from "../../../src/job/usage/usage.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { jobUid } from "../facts/names.ts";
import { clusterOf, rowOf } from "../story/listed-job.ts";
import { Process } from "../killed/killed-at.ts";
import { MemoryMetaStore } from "./memory-meta-store.ts";
import { type Cut, StreamedJobStore } from "./streamed-job-store.ts";

/** When the Jobs of the tests are created: the first of them at the beginning of a day. */
export const DAY_BEGIN = Date.parse("2026-01-01T00:00:00Z");
export const HOUR = 3_600_000;

/** A stage with one projection, whose clock the test sets. */
export class CountScene {
  now = DAY_BEGIN + 26 * HOUR;
  readonly meta = new MemoryMetaStore();
  readonly store = new StreamedJobStore(() => this.now);
  readonly ports: CountPorts = { meta: this.meta, projection: "A" };
  readonly run: CountRun = { now: () => this.now, eager: true };

  static keyOf({ cluster, uid }: JobAnswer): JobKey {
    return { cluster: clusterOf(cluster), jobUid: jobUid(uid) };
  }

  /** `usage`: what the Pods of the Job reserved. */
  async write(job: JobAnswer, usage?: HourlyUsage): Promise<void> {
    const key = CountScene.keyOf(job);
    await this.meta.write("cluster", key.cluster, { value: "{}", expected: 0 });
    await this.meta.write("namespace", namespaceKey(key.cluster, job.namespace), { value: "{}", expected: 0 });
    const state = { bytes: new Uint8Array(), row: rowOf(job, usage) };
    await this.store.write(key, state, (await this.store.read(key))?.version ?? 0);
  }

  /** Records the writes that were not delivered. */
  async deliver(ports: Partial<CountPorts> = {}): Promise<void> {
    await this.store.deliver((writes) => recordBatch({ meta: this.meta, projection: "A", ...ports }, writes, this.now));
  }

  /** Delivers a part of a shard, some of it again. */
  async deliverCut(cut: Cut & { readonly shard: number }, ports: Partial<CountPorts> = {}): Promise<void> {
    const into = { meta: this.meta, projection: "A" as const, ...ports };
    await this.store.deliverCut((writes) => recordBatch(into, writes, this.now), cut);
  }

  /** Delivers and counts. */
  async count(run: Partial<CountRun> = {}, ports: Partial<CountPorts> = {}) {
    await this.deliver(ports);
    return this.countRecorded(run, ports);
  }

  countRecorded(run: Partial<CountRun> = {}, ports: Partial<CountPorts> = {}) {
    return countJobs({ ...this.ports, ...ports }, { ...this.run, ...run });
  }

  async verify(run: Partial<VerifyRun> = {}) {
    await this.deliver();
    return verifyCounts({ ...this.ports, jobs: this.store }, { ...this.run, pause: async () => {}, ...run });
  }

  /** Counts in a process that is killed at its nth request to the records; then the clock is after its hold. */
  async countKilled(request: number): Promise<void> {
    const killed = new Process(request);
    await this.count({}, { meta: killed.over(this.meta) }).catch(() => {});
    this.now += 7 * 60_000;
  }
}
