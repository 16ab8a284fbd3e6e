/** The keys, indexes, expiry and stream of a DynamoDB table. The stack deploys it; tests and benchmarks create it. */
export interface TableSchema {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly indexes: readonly IndexSchema[];
  /**
   * The time-to-live attribute, in seconds since 1970. DynamoDB deletes an expired item within days, free of charge.
   */
  readonly expiry: string;
  /** What a stream record contains. @default no stream */
  readonly stream?: "NEW_IMAGE" | "NEW_AND_OLD_IMAGES";
}

/**
 * A global secondary index that projects keys only: a write that leaves the keys unchanged does not update the index.
 */
export interface IndexSchema {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** All keys are strings. */
const PRIMARY = { partitionKey: "pk", sortKey: "sk", expiry: "ttl" } as const;

/**
 * `pk` is `shard#yyyymmddhh`, `sk` is `arrivedAt#hash` of a pack; of a segment of an earlier release, `pk` is
 * `cluster#yyyymmdd` and `sk` is `sealedAt#session#sequence`. The stream delivers each new item to the projection.
 */
export const LOG_SCHEMA = { ...PRIMARY, indexes: [], stream: "NEW_IMAGE" } as const satisfies TableSchema;

/** `pk` is the kind of the record, or `kind#cluster` (record-partitions.ts); `sk` is its key. */
export const META_SCHEMA = { ...PRIMARY, indexes: [] } as const satisfies TableSchema;

/** The lists of Jobs: by namespace, by name, those that need attention by cluster, and all clusters together. */
export const JOB_INDEXES = {
  list: { name: "list", partitionKey: "listPk", sortKey: "createdSk" },
  name: { name: "name", partitionKey: "namePk", sortKey: "createdSk" },
  attention: { name: "attention", partitionKey: "attentionPk", sortKey: "createdSk" },
  wide: { name: "wide", partitionKey: "widePk", sortKey: "createdSk" },
  /** Only of runs: those that another system knows by a key. */
  external: { name: "external", partitionKey: "externalPk", sortKey: "createdSk" },
} as const satisfies Readonly<Record<string, IndexSchema>>;

export type JobIndex = keyof typeof JOB_INDEXES;

/**
 * `pk` is `cluster#uid`; `sk` is `S` for the state and `P#hash` for a page. Only states with a row have index keys, and
 * only Jobs that need attention have `attentionPk`. Items `#wide#shard` are records of new Jobs, whose states have no
 * `widePk`. The indexes share one sort key, so that an item stores it once. The stream reports each write of a row with
 * the row before it. A stream costs nothing until something reads it.
 */
export const JOBS_SCHEMA = {
  ...PRIMARY,
  indexes: [JOB_INDEXES.list, JOB_INDEXES.name, JOB_INDEXES.attention, JOB_INDEXES.wide],
  /** The stream feeds the counts of Jobs (src/count) and the notifications. */
  stream: "NEW_AND_OLD_IMAGES",
} as const satisfies TableSchema;

/**
 * Runs are stored like Jobs, without pages and records: `pk` is `cluster#uid` of what starts the Jobs of the run. The
 * stream feeds the notifications.
 */
export const RUNS_SCHEMA = {
  ...PRIMARY,
  indexes: [...JOBS_SCHEMA.indexes, JOB_INDEXES.external],
  stream: "NEW_AND_OLD_IMAGES",
} as const satisfies TableSchema;
