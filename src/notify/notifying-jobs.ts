import type { JobRow } from "../ports/job-row.ts";
import type { JobKey, JobStore, RunStore } from "../ports/jobs.ts";

/** The row of a Job was written. */
export interface RowChange {
  readonly key: JobKey;
  /** Absent for a new Job. */
  readonly before?: JobRow;
  readonly after: JobRow;
}

export interface NotifyingOptions {
  /** Runs in the transaction of the write. */
  readonly onChange: (change: RowChange) => Promise<void>;
  readonly inTransaction: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** A store of runs that reports each change of a row in the transaction that writes it. */
export function notifyingRuns(runs: RunStore, options: NotifyingOptions): RunStore {
  return {
    read: (key) => runs.read(key),
    list: (partition, listed) => runs.list(partition, listed),
    listByName: (name, listed) => runs.listByName(name, listed),
    listAttention: (partition, listed) => runs.listAttention(partition, listed),
    listByExternalId: (id, limit) => runs.listByExternalId(id, limit),
    ...(runs.wide && { wide: runs.wide }),
    write: notifyingWrite(runs, options),
  };
}

/** A store of Jobs that reports each change of a row in the transaction that writes it. */
export function notifyingJobs(jobs: JobStore, options: NotifyingOptions): JobStore {
  return {
    read: (key) => jobs.read(key),
    list: (partition, options) => jobs.list(partition, options),
    listLive: (...args) => jobs.listLive(...args),
    listByName: (name, options) => jobs.listByName(name, options),
    sampleNames: (namespace, limit) => jobs.sampleNames(namespace, limit),
    listAttention: (partition, options) => jobs.listAttention(partition, options),
    writePage: (key, hash, bytes) => jobs.writePage(key, hash, bytes),
    readPage: (key, hash) => jobs.readPage(key, hash),
    ...(jobs.namespacesWithName && { namespacesWithName: jobs.namespacesWithName.bind(jobs) }),
    ...(jobs.count && { count: jobs.count.bind(jobs) }),
    ...(jobs.wide && { wide: jobs.wide }),
    write: notifyingWrite(jobs, options),
  };
}

function notifyingWrite(
  store: Pick<JobStore, "read" | "write">,
  { onChange, inTransaction }: NotifyingOptions,
): JobStore["write"] {
  return (key, state, expected) =>
    inTransaction(async () => {
      const before = expected === 0 ? undefined : (await store.read(key))?.row;
      const written = await store.write(key, state, expected);
      if (written.outcome === "written" && state.row !== undefined) {
        await onChange({ key, after: state.row, ...(before && { before }) });
      }
      return written;
    });
}
