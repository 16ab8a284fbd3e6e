/**
 * Small records beside the Jobs: clusters, namespaces, Nodes, CronJobs, gaps, hints, positions, which projection is live.
 * Every operation is one request to DynamoDB (GetItem, conditional PutItem, one page of a Query by `kind`).
 */
export interface MetaStore {
  read(kind: MetaKind, key: string): Promise<MetaRecord | undefined>;
  /** Writes `value` if the stored version is `expected` (0: there is none). */
  write(kind: MetaKind, key: string, value: string, expected: number): Promise<MetaWriteOutcome>;
  /** Records of one kind whose key begins with `prefix`, in the order of their keys' UTF-8 bytes, after `after` where given. */
  list(
    kind: MetaKind,
    options: { readonly prefix: string; readonly after?: string; readonly limit: number },
  ): Promise<MetaPage>;
}

export type MetaKind =
  | "cluster"
  | "namespace"
  | "node"
  | "cronjob"
  | "gap"
  | "hints"
  | "position"
  | "live"
  | "setAside"
  | "logDay"
  /** That a segment came to the log long after it was sealed (src/segment/late.ts). */
  | "late"
  /** Which segments wait to be folded into a large Job (src/projection/job-state/waiting-segments.ts). */
  | "waiting"
  /** Who may speak for which cluster, by the unique id of the IAM principal (src/ingest/sender.ts). */
  | "principal"
  /** What an IAM principal may read, by its unique id (src/query/access/reader.ts). */
  | "reader";

export interface MetaRecord {
  readonly key: string;
  /** JSON text; at most 300 KB. */
  readonly value: string;
  readonly version: number;
}
export type MetaWriteOutcome =
  | { readonly outcome: "written"; readonly version: number }
  | { readonly outcome: "conflict" };
export interface MetaPage {
  readonly records: readonly MetaRecord[];
  readonly next?: string;
}
