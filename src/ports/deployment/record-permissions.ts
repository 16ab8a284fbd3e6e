import type { MetaKind } from "../meta.ts";
import { partitionPattern } from "./record-partitions.ts";
import type { FunctionName } from "./settings/function-settings.ts";

/** Records that follow from facts (src/projection/project-cluster.ts). */
const RECORDS_OF_FACTS = ["node", "cronjob", "hints", "gap", "cluster", "namespace", "namespaceMarks"] as const;
/** An erasure learns hashes from late facts, and its position announces them. */
const LEARNED_HASHES = ["erased", "position"] as const;
const PROJECTED_RECORDS = [...RECORDS_OF_FACTS, ...LEARNED_HASHES, "waiting"] as const;

/**
 * The kinds of records that each function writes. Its policy allows no other: a compromised function cannot admit a
 * sender or a reader, release a legal hold, change a rule of retention, or record an erasure. Those are written by
 * commands, with the permissions of operators.
 */
export const WRITTEN_RECORDS: Readonly<Record<FunctionName, readonly MetaKind[]>> = {
  ingest: ["cluster", "logDay", "logHour", "late", "setAside", "setAsideHour", ...LEARNED_HASHES],
  project: [...PROJECTED_RECORDS, "changes"],
  refold: [...PROJECTED_RECORDS, "changes"],
  replay: [...PROJECTED_RECORDS, "live", "logDay"],
  sweep: ["position"],
  audit: ["position"],
  count: ["counts", "countBatch", "countShard", "metrics", "cronCounts", "series", "position"],
  archive: ["position", "late"],
  retain: ["position"],
  notify: ["notice", "position"],
  deliver: ["notice", "receiver"],
  query: [],
  acknowledge: ["acknowledgement"],
  page: [],
  "audit-logs": [],
};

/**
 * What the projectors of a trial write: notes about large Jobs, and the changes of Jobs that they announce while their
 * projection answers. What both projections share is left to the projectors in use.
 */
const TRIAL_RECORDS: readonly MetaKind[] = ["waiting", "changes"];

/** What `outlive erase --stage` writes and deletes: nothing that grants access, no log, and of counts only names. */
export const ERASABLE_RECORDS: readonly MetaKind[] = [
  "erasure",
  ...LEARNED_HASHES,
  ...RECORDS_OF_FACTS.filter((kind) => kind !== "cluster"),
  "waiting",
  "changes",
  "series",
  "setAside",
  "notice",
  "counts",
  "countBatch",
  "metrics",
  "cronCounts",
  "retention",
  "removed",
  "hold",
  "acknowledgement",
];

/** The partition keys that a function may write, as patterns of IAM. */
export function writablePartitions(name: FunctionName): readonly string[] {
  return WRITTEN_RECORDS[name].map(partitionPattern);
}

export const TRIAL_PARTITIONS: readonly string[] = TRIAL_RECORDS.map(partitionPattern);

/** An erasure also deletes what an earlier release stored before kinds were divided. */
export const ERASABLE_PARTITIONS: readonly string[] = [
  ...new Set(ERASABLE_RECORDS.flatMap((kind) => [kind, partitionPattern(kind)])),
];

/** The partitions of messages that were set aside. Only ingest reads and writes them. */
export const SET_ASIDE_PARTITIONS: readonly string[] = ["setAside", partitionPattern("setAside")];
