import * as v from "valibot";
import type { Instant } from "../job/model/instant.ts";
import { recordCodec } from "../ports/records/record-codec.ts";

/** What is erased. The cluster itself keeps its name: its operator chose it, and the log's keys contain it. */
export type ErasureLevel = "job" | "namespace" | "cluster";

/**
 * What an erasure removes, without its names in clear: each name is a salted hash (src/erasure/salted-names.ts). So the
 * record recognizes data that comes back, and does not show it.
 */
export interface ErasureScope {
  readonly id: string;
  readonly level: ErasureLevel;
  readonly cluster: string;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** Of a namespace, or of the namespace of a Job. */
  readonly namespace?: string;
  /** Of the namespace and name of a Job. */
  readonly name?: string;
  /** Only Jobs whose uids are among the erased ones, not every Job of the name. */
  readonly isOfUid?: true;
  /** Data that was observed until then is erased. A Job that is created later is new. */
  readonly at: Instant;
  /** Who erased it. */
  readonly by: string;
  readonly reason: string;
}

/** How much was erased. */
export interface ErasureCounts {
  readonly jobs: number;
  /** Jobs by their state when they were erased; those without a stored state are not among them. */
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
   * The objects that record it in the archive, noted before they are written: the archiver lists no others. Absent in
   * records of earlier releases.
   */
  readonly files?: readonly ErasureFileName[];
}

/** An object of an archive that records an erasure. */
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
