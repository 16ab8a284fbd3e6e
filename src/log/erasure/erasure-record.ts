import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "../../ports/records/record-codec.ts";

/** What is erased. The cluster itself keeps its name: its operator chose it, and the log's keys contain it. */
export type ErasureLevel = "job" | "namespace" | "cluster";

/**
 * What an erasure removes. Each name is a salted hash (src/log/erasure/salted-names.ts), so that the record recognizes
 * returning data without showing the names.
 */
export interface ErasureScope {
  readonly id: string;
  readonly level: ErasureLevel;
  readonly cluster: string;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** Set for a namespace, and for the namespace of a Job. */
  readonly namespace?: string;
  /** Set for a Job: the hash of its namespace and name. */
  readonly name?: string;
  /** Only the Jobs with erased uids belong to it, not every Job of the name. */
  readonly isOfUid?: true;
  /** Data observed until then is erased. A Job created later is not. */
  readonly at: Instant;
  /** Who erased it. */
  readonly by: string;
  readonly reason: string;
}

/** How much was erased. */
export interface ErasureCounts {
  readonly jobs: number;
  /** The number of erased Jobs in each state. Jobs without a stored state are not counted. */
  readonly states: Readonly<Record<string, number>>;
  readonly pods: number;
  readonly facts: number;
  readonly segments: number;
  /** Records of Nodes, CronJobs, Events and requests, messages and positions. */
  readonly records: number;
  readonly objects: number;
}

export const NO_COUNTS: ErasureCounts = {
  jobs: 0,
  states: {},
  pods: 0,
  facts: 0,
  segments: 0,
  records: 0,
  objects: 0,
};

/** Kind `erasure`, by the id. */
export interface ErasureRecord extends ErasureScope {
  /**
   * `gathering`: its Jobs and Pods are being found, and nothing was removed. `erasing`: data is being removed.
   * `done`: no store has any of it.
   */
  readonly stage: "gathering" | "erasing" | "done";
  /** How many records of kind `erased` follow from gathering. */
  readonly pages: number;
  readonly counts: ErasureCounts;
  readonly finishedAt?: Instant;
  /**
   * The objects that record it in the archive, recorded before they are written, because the archiver lists no others.
   * Absent in records of earlier releases.
   */
  readonly files?: readonly ErasureFileName[];
}

/** The name of an archive's object that records an erasure. */
export interface ErasureFileName {
  readonly key: string;
  readonly sha256: string;
}

/** Kind `erased`, by `id#page`: salted hashes of the uids of Jobs and of the names of Pods, one after the other. */
export interface ErasedPage {
  readonly hashes: string;
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const erasureScopeEntries = {
  id: v.pipe(v.string(), v.regex(/^[0-9a-z-]{8,64}$/)),
  level: v.picklist(["job", "namespace", "cluster"]),
  cluster: v.string(),
  salt: v.string(),
  namespace: v.exactOptional(v.string()),
  name: v.exactOptional(v.string()),
  isOfUid: v.exactOptional(v.literal(true)),
  at: v.number(),
  by: v.string(),
  reason: v.string(),
} as const;

export const erasureCountsSchema: v.GenericSchema<unknown, ErasureCounts> = v.looseObject({
  jobs: whole,
  states: v.record(v.string(), whole),
  pods: whole,
  facts: whole,
  segments: whole,
  records: whole,
  objects: whole,
});

export const erasureRecord = recordCodec<ErasureRecord>(
  "erasure",
  v.looseObject({
    ...erasureScopeEntries,
    stage: v.picklist(["gathering", "erasing", "done"]),
    pages: whole,
    counts: erasureCountsSchema,
    finishedAt: v.exactOptional(v.number()),
    files: v.exactOptional(v.array(v.looseObject({ key: v.string(), sha256: v.string() }))),
  }),
);

export const erasedPage = recordCodec<ErasedPage>("erased", v.looseObject({ hashes: v.string() }));

/** Kind `position`: which records of erasures a manifest of the archive lists. */
export const archiveErasuresRecord = recordCodec<{ readonly listed: readonly string[] }>(
  "position",
  v.looseObject({ listed: v.array(v.string()) }),
);
