import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JobFact } from "../../job/model/fact.ts";
import type { JobUid } from "../../job/model/ids.ts";
import { factsOf, JobFold, type JobObject, type JobRecord } from "../../job/model/job-record.ts";
import { unseenJob } from "../../job/model/unseen-job.ts";
import { PackedBytes } from "../summary/packed-bytes.ts";

export interface RestLimits {
  /** The most Jobs in memory as objects. Facts are joined to these fast; the others are compressed to a twentieth. */
  readonly awake: number;
  /** How many Jobs are compressed at once: those with the oldest last facts. */
  readonly atOnce: number;
  /** A Job with more Pods is not compressed, because that would take more time than the memory is worth. */
  readonly pods: number;
}
export const LIMITS: RestLimits = { awake: 2048, atOnce: 512, pods: 256 };
/** Small buffers: a Job is a few KiB of text, and setting up zlib's usual 256 KiB takes longer than compressing it. */
const DEFLATE = { level: 3, windowBits: 13, memLevel: 5, chunkSize: 4096 };

/** Folds facts about any number of Jobs in little memory. Jobs without recent facts are compressed until needed. */
export class RestingJobs {
  readonly #awake = new JobFold();
  /** Uids of uncompressed Jobs that may be compressed; those whose last fact is the oldest come first. */
  readonly #recent = new Set<JobUid>();
  readonly #resting = new PackedBytes<JobUid>();
  /** The sort keys of compressed Jobs. */
  readonly #sortKeys = new Map<JobUid, string>();
  /** The first compressed Job. It is the dictionary for the others, whose text is similar. */
  #dictionary: Buffer | undefined;

  readonly #limits: RestLimits;
  readonly #learn: (job: JobObject) => void;

  /** `learn` gets each Job before the first one is read. If it gets a Job several times, the last one is complete. */
  constructor(limits: RestLimits = LIMITS, learn: (job: JobObject) => void = () => {}) {
    this.#limits = limits;
    this.#learn = learn;
  }

  add(fact: JobFact): void {
    const uid = fact.jobUid;
    if (!this.#recent.delete(uid)) this.#wake(uid);
    this.#recent.add(uid);
    this.#awake.add(fact);
    if (this.#recent.size > this.#limits.awake) this.#rest();
  }

  /** Every record, by namespace, name and uid. Ends the fold: each record is released when the next one is read. */
  *inOrder(): Generator<JobRecord> {
    const { records } = this.#awake;
    for (const [uid, record] of records) {
      this.#learn(record.job);
      this.#sortKeys.set(uid, sortKeyOf(record));
    }
    const sorted = [...this.#sortKeys].sort(([aUid, a], [bUid, b]) => (a < b || (a === b && aUid < bUid) ? -1 : 1));
    this.#sortKeys.clear();
    for (const [uid] of sorted) {
      this.#wake(uid);
      const record = records.get(uid);
      if (record !== undefined) yield record;
      records.delete(uid);
    }
  }

  #wake(uid: JobUid): void {
    const bytes = this.#resting.take(uid);
    if (bytes === undefined) return;
    for (const fact of this.#unpack(bytes)) this.#awake.add(fact);
  }

  #rest(): void {
    let count = 0;
    for (const uid of this.#recent) {
      if (count === this.#limits.atOnce) return;
      count += 1;
      const record = this.#awake.records.get(uid);
      this.#recent.delete(uid);
      if (record === undefined || record.pods.size > this.#limits.pods) continue;
      this.#learn(record.job);
      this.#awake.records.delete(uid);
      this.#sortKeys.set(uid, sortKeyOf(record));
      this.#resting.set(uid, this.#pack(factsOf(record)));
    }
  }

  #pack(facts: readonly JobFact[]): Uint8Array {
    const text = Buffer.from(JSON.stringify(facts));
    this.#dictionary ??= text;
    return deflateRawSync(text, { ...DEFLATE, dictionary: this.#dictionary });
  }

  #unpack(bytes: Uint8Array): readonly JobFact[] {
    const { windowBits } = DEFLATE;
    const dictionary = this.#dictionary ?? Buffer.alloc(0);
    const facts: unknown = JSON.parse(inflateRawSync(bytes, { windowBits, dictionary }).toString());
    return isFacts(facts) ? facts : [];
  }
}

/** The sort key of a Job, before its uid. NUL sorts before all characters of names. */
function sortKeyOf(record: JobRecord): string {
  const { created } = record.job;
  if (created !== undefined) return `${created.namespace}\0${created.name}`;
  const unseen = unseenJob(record);
  return `${unseen?.namespace ?? ""}\0${unseen?.named?.name ?? ""}`;
}

/** The array was written by this process itself, so its facts are not checked. */
function isFacts(value: unknown): value is readonly JobFact[] {
  return Array.isArray(value);
}
