import { itemsWithoutErased } from "../../log/erasure/without-erased.ts";
import { listRecords } from "../../ports/list-records.ts";
import { clusterIn } from "../../ports/meta-key.ts";
import type { MetaKind, MetaRecord } from "../../ports/meta.ts";
import { MARKER } from "../../ports/records/marker-record.ts";
import { readLogItem } from "../../projection/log-segment.ts";
import type { ClusterRecordKey } from "../../projection/project-cluster.ts";
import { readWholeLog } from "../../log/read-log.ts";
import { type LogStores, logBegins } from "./log-begins.ts";
import { type LogBegin, RecordFold, valueFromLog } from "./record-fold.ts";

/** A record that differs from what the log states. */
export interface RecordMismatch {
  readonly kind: MetaKind;
  readonly key: string;
  /** `additional`: no fact of the log states it. */
  readonly problem: "missing" | "different" | "additional";
  /** The value that follows from the log; absent if nothing does. */
  readonly expected?: string;
  /** The version of the record that differs; 0 if there is none. */
  readonly version: number;
}

/** The versions of records before the log was read. A record that has changed since is compared again. */
export type RecordVersions = ReadonlyMap<string, number>;

const KINDS = ["node", "cronjob", "namespaceMarks", "hints", "gap", "cluster"] as const;

/**
 * The versions of all records that follow from the log. A segment is logged before its facts are joined into a record.
 * So a record of this version contains only facts that a later reading of the log has.
 */
export async function recordVersions(stores: LogStores): Promise<RecordVersions> {
  const versions = new Map<string, number>();
  for await (const { kind, stored } of storedRecords(stores)) versions.set(`${kind} ${stored.key}`, stored.version);
  return versions;
}

/** Compares records with the fold of the log, both ways. Returns those that differ, and those that have changed. */
export async function compareRecords(
  stores: LogStores,
  fold: RecordFold,
  before: RecordVersions,
): Promise<{ readonly mismatches: readonly RecordMismatch[]; readonly changed: number }> {
  const begins = await logBegins(stores);
  const comparison = new Comparison(fold, before, begins);
  for await (const record of storedRecords(stores)) comparison.compare(record);
  comparison.missing();
  return comparison;
}

interface StoredOfKind {
  readonly kind: MetaKind;
  readonly stored: MetaRecord;
}

class Comparison {
  readonly mismatches: RecordMismatch[] = [];
  changed = 0;
  readonly #fold: RecordFold;
  readonly #before: RecordVersions;
  readonly #begins: (cluster: string) => LogBegin;
  readonly #found = new Set<string>();

  constructor(fold: RecordFold, before: RecordVersions, begins: (cluster: string) => LogBegin) {
    this.#fold = fold;
    this.#before = before;
    this.#begins = begins;
  }

  compare({ kind, stored }: StoredOfKind): void {
    const { key, version, value } = stored;
    this.#found.add(`${kind} ${key}`);
    if (this.#before.get(`${kind} ${key}`) !== version) {
      this.changed += 1;
      return;
    }
    const expected = this.#expected({ kind, stored });
    if (expected === value) return;
    const problem = expected === undefined ? "additional" : "different";
    this.mismatches.push({ kind, key, problem, version, ...(expected !== undefined && { expected }) });
  }

  /** Records that the log states and that are not stored. */
  missing(): void {
    for (const folded of this.#fold.records) {
      const { record } = folded;
      const { kind, key } = record;
      if (this.#found.has(`${kind} ${key}`)) continue;
      const begin = this.#begins(clusterOf(kind, key));
      const expected = valueFromLog(record, { folded, stored: undefined, begin });
      if (expected !== undefined) this.mismatches.push({ kind, key, problem: "missing", version: 0, expected });
    }
  }

  #expected({ kind, stored }: StoredOfKind): string | undefined {
    const { key, value } = stored;
    const begin = this.#begins(clusterOf(kind, key));
    // The log may have lost what stated a marker.
    if (value === MARKER && begin.since > -Infinity) return MARKER;
    if (isClusterKind(kind)) {
      const record = { kind, key };
      return valueFromLog(record, { folded: this.#fold.get(record), stored: value, begin });
    }
    return this.#fold.namesNamespace(key) ? MARKER : undefined;
  }
}

function isClusterKind(kind: MetaKind): kind is ClusterRecordKey["kind"] {
  return KINDS.some((other) => other === kind);
}

function clusterOf(kind: MetaKind, key: string): string {
  return kind === "cluster" ? key : clusterIn(key);
}

/** All stored records that facts state, and the namespaces. */
async function* storedRecords({ log, meta }: LogStores): AsyncGenerator<StoredOfKind> {
  const clusters: string[] = [];
  for await (const stored of listRecords(meta, "cluster", { prefix: "" })) {
    clusters.push(stored.key);
    yield { kind: "cluster", stored };
  }
  for (const kind of ["namespace", "namespaceMarks", "gap"] as const) {
    for await (const stored of listRecords(meta, kind, { prefix: "" })) yield { kind, stored };
  }
  // DynamoDB lists these kinds by cluster.
  const prefixes = log.packs === undefined ? [""] : clusters.map((cluster) => `${cluster}#`);
  for (const kind of ["node", "cronjob", "hints"] as const) {
    for (const prefix of prefixes) {
      for await (const stored of listRecords(meta, kind, { prefix })) yield { kind, stored };
    }
  }
}

/** Reads the whole log into a fold of its records. */
export async function foldRecords({ log, meta }: LogStores): Promise<RecordFold> {
  const fold = new RecordFold();
  for await (const items of readWholeLog({ log, meta })) {
    for (const item of await itemsWithoutErased(meta, items)) {
      const read = readLogItem(item);
      if (read.outcome === "read") fold.add(read.segment);
    }
  }
  return fold;
}
