import { compareText } from "../../../src/job/model/compare-text.ts";
import type { ClusterName, JobUid } from "../../../src/job/model/ids.ts";
import type { EncodedJobState } from "../../../src/ports/job-row.ts";
import type { JobKey, JobPage, ListOptions, NamespaceOfJobs } from "../../../src/ports/jobs.ts";
import type {
  StoredCoverage,
  WideClass,
  WideCoverage,
  WideJob,
  WideLists,
  WideOptions,
  WidePage,
  WidePosition,
} from "../../../src/ports/wide-lists.ts";
import { MemoryJobStore } from "./memory-job-store.ts";

/** A projection in memory with wide lists. `isEarlierVersion` writes live Jobs to the lists of their namespaces. */
export class WideMemoryStore extends MemoryJobStore {
  now: () => number;
  isEarlierVersion = false;
  /** How many pages of wide lists, and of lists of namespaces, were read. */
  readonly reads = { wide: 0, namespaces: 0 };
  readonly #classes = new Map<string, WideClass>();
  #coverage: StoredCoverage | undefined;

  constructor(now: () => number) {
    super();
    this.now = now;
  }

  override async write(key: JobKey, state: EncodedJobState, expected: number) {
    const outcome = await super.write(key, state, expected);
    if (outcome.outcome === "conflict") return outcome;
    const id = `${key.cluster}|${key.jobUid}`;
    const { row } = state;
    if (row === undefined || this.isEarlierVersion) this.#classes.delete(id);
    else {
      const isLong = row.phase === "A" && this.now() - row.createdAt > 240_000;
      const isTroubled = row.attention || row.measures?.state === "Failed";
      this.#classes.set(id, isLong ? (isTroubled ? "B" : "A") : isTroubled ? "T" : "O");
    }
    return outcome;
  }

  override async list(namespace: NamespaceOfJobs, options: ListOptions): Promise<JobPage> {
    this.reads.namespaces += 1;
    return super.list(namespace, options);
  }

  override async listLive({ cluster, namespace }: NamespaceOfJobs, options: ListOptions): Promise<JobPage> {
    this.reads.namespaces += 1;
    const page = await super.listLive({ cluster, namespace }, options);
    return { ...page, rows: page.rows.filter(({ jobUid }) => !this.#classes.has(`${cluster}|${jobUid}`)) };
  }

  readonly wide: WideLists = {
    partitions: (classes) => classes,
    list: async (partitions, options) => {
      this.reads.wide += 1;
      return this.#widePage(partitions, options);
    },
    readCoverage: async () => this.#coverage,
    writeCoverage: async (coverage, expected) => this.#writeCoverage(coverage, expected),
  };

  #writeCoverage(coverage: WideCoverage, expected: number): "written" | "conflict" {
    if ((this.#coverage?.version ?? 0) !== expected) return "conflict";
    this.#coverage = { ...coverage, version: expected + 1 };
    return "written";
  }

  #widePage(classes: readonly string[], { after, limit, order = "newest" }: WideOptions): WidePage {
    const direction = order === "newest" ? 1 : -1;
    const rows = [...this.states].flatMap(([id, { row }]): readonly WideJob[] => {
      const wideClass = this.#classes.get(id);
      if (row === undefined || wideClass === undefined || !classes.includes(wideClass)) return [];
      const [cluster, jobUid] = [id.slice(0, id.indexOf("|")) as ClusterName, id.slice(id.indexOf("|") + 1) as JobUid];
      return [{ ...row, cluster, jobUid, wideClass }];
    });
    const rest = rows
      .sort((a, b) => direction * compareWide(a, b))
      .filter((row) => after === undefined || direction * compareWide(after, row) < 0);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    if (rest.length <= limit || last === undefined) return { rows: page };
    return { rows: page, next: { createdAt: last.createdAt, jobUid: last.jobUid, cluster: last.cluster } };
  }
}

function compareWide(a: WidePosition, b: WidePosition): number {
  return b.createdAt - a.createdAt || compareText(a.jobUid, b.jobUid) || compareText(a.cluster, b.cluster);
}
