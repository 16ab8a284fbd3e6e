import type { JobRow } from "../ports/job-row.ts";
import type { JobKey, JobStore } from "../ports/jobs.ts";

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

/** A store of Jobs that reports each change of a row in the transaction that writes it. */
export function notifyingJobs(jobs: JobStore, { onChange, inTransaction }: NotifyingOptions): JobStore {
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
    write: (key, state, expected) =>
      inTransaction(async () => {
        const before = expected === 0 ? undefined : (await jobs.read(key))?.row;
        const written = await jobs.write(key, state, expected);
        if (written.outcome === "written" && state.row !== undefined) {
          await onChange({ key, after: state.row, ...(before && { before }) });
        }
        return written;
      }),
  };
}
