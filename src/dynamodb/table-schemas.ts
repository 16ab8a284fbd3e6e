/** What a table is made of, as data: `lib/` deploys it and a test there holds both equal; tests and benchmarks create it on DynamoDB Local. */
export interface TableSchema {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly indexes: readonly IndexSchema[];
  /** The attribute that says, in seconds since 1970, when DynamoDB may delete an item. It does so within some days, and writes no write units for it. */
  readonly expiry: string;
  /** What the table's stream carries of an item that was written; absent: there is no stream. */
  readonly stream?: "NEW_IMAGE";
}

/** A global secondary index. It carries its own keys and the table's, and nothing else: what is in it changes with no write that leaves them as they are. */
export interface IndexSchema {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** All keys are texts. */
const PRIMARY = { partitionKey: "pk", sortKey: "sk", expiry: "ttl" } as const;

/** `pk` is `cluster#yyyymmdd`, `sk` is `sealedAt#session#sequence`; the stream carries each new item to the projection. */
export const LOG_SCHEMA = { ...PRIMARY, indexes: [], stream: "NEW_IMAGE" } as const satisfies TableSchema;

/** `pk` is the kind, `sk` the key. */
export const META_SCHEMA = { ...PRIMARY, indexes: [] } as const satisfies TableSchema;

/** The three lists of Jobs: those of a namespace and phase, the incarnations of a name, and those that need a person. */
export type ListIndex = "list" | "name" | "attention";

/**
 * `pk` is `cluster#uid`; `sk` is `S` for the state, `P#` and a hash for a page. Of the items only states with a row have index keys, and only those that
 * need a person have `attentionPk`: an index holds the items that have its keys. The indexes share their sort key, so that it is stored once.
 */
export const JOBS_SCHEMA = {
  ...PRIMARY,
  indexes: [
    { name: "list", partitionKey: "listPk", sortKey: "createdSk" },
    { name: "name", partitionKey: "namePk", sortKey: "createdSk" },
    { name: "attention", partitionKey: "attentionPk", sortKey: "createdSk" },
  ],
} as const satisfies TableSchema & { readonly indexes: readonly (IndexSchema & { readonly name: ListIndex })[] };
