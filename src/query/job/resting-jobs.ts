import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JobFact } from "../../job/model/fact.ts";
import type { JobUid } from "../../job/model/ids.ts";
import { factsOf, JobFold, type JobRecord } from "../../job/model/job-record.ts";
import { unseenJob } from "../../job/model/unseen-job.ts";
import { PackedBytes } from "../summary/packed-bytes.ts";

export interface RestLimits {
  /**
   * The most Jobs that are held as objects, which is how a fact is joined fast; the others rest as bytes, a twentieth
   * of the size.
   */
  readonly awake: number;
  /** How many are put to rest at once, those that were heard of least recently. */
  readonly atOnce: number;
  /** A larger Job stays awake: writing it down and reading it back would cost more than it saves. */
  readonly pods: number;
}
const LIMITS: RestLimits = { awake: 2048, atOnce: 512, pods: 256 };
/** Small windows: a Job is a few KiB of text, and zlib's usual quarter of a MiB takes longer to set up than to use. */
const DEFLATE = { level: 3, windowBits: 13, memLevel: 5, chunkSize: 4096 };

/**
 * A fold of any number of Jobs in little memory: a Job that nothing was heard of for a while rests compressed until it
 * is needed.
 */
export class RestingJobs {
  readonly #awake = new JobFold();
  /** Uids of Jobs awake that may go to rest, those heard of least recently first. */
  readonly #recent = new Set<JobUid>();
  readonly #resting = new PackedBytes<JobUid>();
  /** Of Jobs that were put to rest: where they stand in order. */
  readonly #places = new Map<JobUid, string>();
  /** The first Job that went to rest: others are much the same text, and only what differs is written down. */
  #dictionary: Buffer | undefined;

  readonly #limits: RestLimits;

  constructor(limits: RestLimits = LIMITS) {
    this.#limits = limits;
  }

  add(fact: JobFact): void {
    const uid = fact.jobUid;
    if (!this.#recent.delete(uid)) this.#wake(uid);
    this.#recent.add(uid);
    this.#awake.add(fact);
    if (this.#recent.size > this.#limits.awake) this.#rest();
  }

  /** Every record, by namespace, name and uid. The fold is over: a record is let go once the next one is taken. */
  *inOrder(): Generator<JobRecord> {
    const { records } = this.#awake;
    for (const [uid, record] of records) this.#places.set(uid, placeOf(record));
    const places = [...this.#places].sort(([aUid, a], [bUid, b]) => (a < b || (a === b && aUid < bUid) ? -1 : 1));
    this.#places.clear();
    for (const [uid] of places) {
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
      this.#awake.records.delete(uid);
      this.#places.set(uid, placeOf(record));
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

/** What the order of Jobs follows from, before the uid. A NUL is in no name, and before all that is. */
function placeOf(record: JobRecord): string {
  const { created } = record.job;
  if (created !== undefined) return `${created.namespace}\0${created.name}`;
  const unseen = unseenJob(record);
  return `${unseen?.namespace ?? ""}\0${unseen?.named?.name ?? ""}`;
}

/** The facts are this process's own: only their form as a list is checked. */
function isFacts(value: unknown): value is readonly JobFact[] {
  return Array.isArray(value);
}
