import type { JobRow, EncodedJobState, ListPosition, StoredJob } from "../../../src/ports/job-row.ts";
import type {
  JobKey,
  JobPage,
  ExternalRun,
  JobStore,
  RunStore,
  ListOptions,
  NameQuery,
  NamespaceOfJobs,
  WriteOutcome,
} from "../../../src/ports/jobs.ts";
import { type ClusterName, decodeJobUid } from "../../../src/job/model/ids.ts";

/** A projection in memory. */
export class MemoryJobStore implements JobStore, RunStore {
  readonly states = new Map<string, StoredJob>();
  readonly pages = new Map<string, Uint8Array>();
  /** Bytes of states and pages written so far. */
  bytesWritten = 0;

  async read(key: JobKey): Promise<StoredJob | undefined> {
    return this.states.get(keyText(key));
  }

  async write(key: JobKey, state: EncodedJobState, expected: number): Promise<WriteOutcome> {
    if ((this.states.get(keyText(key))?.version ?? 0) !== expected) return { outcome: "conflict" };
    const version = expected + 1;
    this.states.set(keyText(key), { ...state, version });
    this.bytesWritten += state.bytes.length;
    return { outcome: "written", version };
  }

  async remove(key: JobKey): Promise<void> {
    this.states.delete(keyText(key));
  }

  async list({ cluster, namespace }: NamespaceOfJobs, options: ListOptions): Promise<JobPage> {
    return this.#page(cluster, options, (row) => row.namespace === namespace);
  }

  async listLive({ cluster, namespace }: NamespaceOfJobs, options: ListOptions): Promise<JobPage> {
    return this.#page(cluster, options, (row) => row.namespace === namespace && row.phase === "A");
  }

  async listByName(
    { cluster, namespace, name }: Parameters<JobStore["listByName"]>[0],
    options: ListOptions,
  ): Promise<JobPage> {
    return this.#page(cluster, options, (row) => row.namespace === namespace && row.name === name);
  }

  async sampleNames({ cluster, namespace }: NamespaceOfJobs, limit: number): Promise<readonly string[]> {
    const pages = ["A", "F"].map((phase) =>
      this.#page(cluster, { limit }, (row) => row.namespace === namespace && row.phase === phase),
    );
    return pages.flatMap(({ rows }) => rows.map(({ name }) => name));
  }

  async namespacesWithName({ cluster, name, namespaces }: NameQuery): Promise<readonly string[]> {
    const { rows } = this.#page(cluster, { limit: Infinity }, (row) => row.name === name);
    return namespaces.filter((namespace) => rows.some((row) => row.namespace === namespace));
  }

  async listAttention({ cluster }: Parameters<JobStore["listAttention"]>[0], options: ListOptions): Promise<JobPage> {
    return this.#page(cluster, options, (row) => row.attention);
  }

  async listByExternalId(externalId: string, limit: number): Promise<readonly ExternalRun[]> {
    const found = [...this.states].flatMap(([key, { row }]) => {
      const [cluster, uid] = key.split("|");
      const jobUid = decodeJobUid(uid);
      if (row?.externalId !== externalId || jobUid === undefined) return [];
      return [{ ...row, jobUid, cluster: cluster as ClusterName }];
    });
    return found.toSorted((a, b) => b.createdAt - a.createdAt || (a.jobUid < b.jobUid ? -1 : 1)).slice(0, limit);
  }

  async writePage(key: JobKey, hash: string, bytes: Uint8Array): Promise<void> {
    this.pages.set(`${keyText(key)}|${hash}`, bytes);
    this.bytesWritten += bytes.length;
  }

  async readPage(key: JobKey, hash: string): Promise<Uint8Array | undefined> {
    return this.pages.get(`${keyText(key)}|${hash}`);
  }

  /** All states and rows without their versions, as texts that are equal for equal projections. */
  contents(): readonly string[] {
    return [...this.states]
      .map(
        ([key, { bytes, row }]) =>
          `${key} ${textOf(bytes)} ${JSON.stringify({ ...row, summary: textOf(row?.summary) })}`,
      )
      .sort();
  }

  #page(cluster: string, options: ListOptions, holds: (row: JobRow) => boolean): JobPage {
    const { after, limit, order = "newest", withStates = false } = options;
    const rows = [...this.states].flatMap(([key, { row, bytes, version }]) => {
      const jobUid = decodeJobUid(key.slice(cluster.length + 1));
      if (row === undefined || jobUid === undefined || !key.startsWith(`${cluster}|`) || !holds(row)) return [];
      return [{ ...row, jobUid, ...(withStates && { stored: { bytes, version } }) }];
    });
    const compare = order === "newest" ? newestFirst : oldestFirst;
    const rest = rows.sort(compare).filter((row) => after === undefined || compare(after, row) < 0);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    if (rest.length <= limit || last === undefined) return { rows: page };
    return { rows: page, next: { createdAt: last.createdAt, jobUid: last.jobUid } };
  }
}

function textOf(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString("base64");
}

function newestFirst(a: ListPosition, b: ListPosition): number {
  return b.createdAt - a.createdAt || (a.jobUid < b.jobUid ? -1 : a.jobUid > b.jobUid ? 1 : 0);
}

function oldestFirst(a: ListPosition, b: ListPosition): number {
  return newestFirst(b, a);
}

function keyText({ cluster, jobUid }: JobKey): string {
  return `${cluster}|${jobUid}`;
}
