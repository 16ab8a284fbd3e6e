import { compareText } from "../../../src/job/model/compare-text.ts";
import type {
  ExpiringJob,
  ExpiringJobs,
  ExpiringPage,
  ExpiryOutcome,
  ExpiryRange,
  JobExpiries,
} from "../../../src/ports/expiry/job-expiries.ts";
import type { JobKey, NamespaceOfJobs } from "../../../src/ports/jobs.ts";

/** Rows of Jobs that expire, in memory. */
export class MemoryJobExpiries implements JobExpiries {
  readonly jobs = new Map<string, ExpiringJob>();
  readonly pages = new Map<string, Map<string, number>>();
  /** Called before each change of a state. */
  beforeSet: (() => void) | undefined;
  /** Changes that were written. */
  writes = 0;

  put(job: ExpiringJob, pages: Readonly<Record<string, number>> = {}): void {
    this.jobs.set(job.key.jobUid, job);
    this.pages.set(job.key.jobUid, new Map(Object.entries(pages)));
  }

  async list(
    { cluster, namespace, name }: NamespaceOfJobs & { readonly name?: string },
    { after, limit }: ExpiryRange,
  ): Promise<ExpiringJobs> {
    const listed = [...this.jobs.values()]
      .filter((job) => job.key.cluster === cluster && job.namespace === namespace)
      .filter((job) => name === undefined || job.name === name)
      .filter((job) => after === undefined || job.key.jobUid > after.jobUid)
      .toSorted((a, b) => compareText(a.key.jobUid, b.key.jobUid));
    const jobs = listed.slice(0, limit);
    const last = jobs.at(-1);
    if (last === undefined || listed.length === jobs.length) return { jobs };
    return { jobs, next: { createdAt: 0, jobUid: last.key.jobUid } };
  }

  async read({ jobUid }: JobKey): Promise<ExpiringJob | undefined> {
    return this.jobs.get(jobUid);
  }

  async *listPages({ jobUid }: JobKey): AsyncGenerator<ExpiringPage> {
    for (const [hash, expiresAt] of this.pages.get(jobUid) ?? []) yield { hash, expiresAt };
  }

  async setState({ jobUid }: JobKey, state: { readonly version: number; readonly expiresAt: number }) {
    this.beforeSet?.();
    const stored = this.jobs.get(jobUid);
    if (stored?.version !== state.version) return "conflict" as const;
    this.jobs.set(jobUid, { ...stored, version: stored.version + 1, expiresAt: state.expiresAt });
    this.writes += 1;
    return "written" as const;
  }

  async setPage({ jobUid }: JobKey, page: ExpiringPage, expiresAt: number): Promise<ExpiryOutcome> {
    const pages = this.pages.get(jobUid);
    if (pages?.get(page.hash) !== page.expiresAt) return "conflict";
    pages.set(page.hash, expiresAt);
    this.writes += 1;
    return "written";
  }
}
