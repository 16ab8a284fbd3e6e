import * as v from "valibot";
import { canonical } from "../../job/model/canonical.ts";
import { listRecords } from "../list-records.ts";
import type { MetaKind, MetaRecord, MetaStore, MetaWrite, MetaWriteOutcome } from "../meta.ts";

/** How the value of one kind of record is stored. Unknown fields are kept: a later release may have written them. */
export interface RecordCodec<Value> {
  readonly kind: MetaKind;
  /** Throws {@link InvalidRecordError}. */
  decode(record: Pick<MetaRecord, "key" | "value">): Value;
  encode(value: Value): string;
}

export function recordCodec<Value>(kind: MetaKind, schema: v.GenericSchema<unknown, Value>): RecordCodec<Value> {
  const decoded = new DecodedTexts<Value>(REMEMBERED_CHARACTERS);
  return {
    kind,
    decode: ({ key, value }) =>
      decoded.of(value, () => {
        const read = v.safeParse(schema, parsed(kind, key, value), { abortEarly: true });
        if (read.success) return read.output;
        throw new InvalidRecordError({ kind, key }, problemOf(read.issues[0]));
      }),
    encode: canonical,
  };
}

/** Every answer reads the records of its cluster and of some Nodes again: each version of them is decoded once. */
const REMEMBERED_CHARACTERS = 1_000_000;

function parsed(kind: MetaKind, key: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new InvalidRecordError({ kind, key }, `it is not JSON (${cause.message})`, { cause });
  }
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}

interface RecordName {
  readonly kind: MetaKind;
  readonly key: string;
}

/** A stored record does not have the form of its kind. */
export class InvalidRecordError extends Error {
  override readonly name = "InvalidRecordError";

  constructor({ kind, key }: RecordName, problem: string, options?: ErrorOptions) {
    super(
      `Invalid record ${kind} ${JSON.stringify(key)}: ${problem}. Update Outlive, or restore the record from a backup.`,
      options,
    );
  }
}

export interface StoredRecord<Value> {
  readonly value: Value;
  readonly version: number;
}

/** The record under `key`, or `undefined`. Throws {@link InvalidRecordError}. */
export async function readRecord<Value>(
  meta: MetaStore,
  codec: RecordCodec<Value>,
  key: string,
): Promise<StoredRecord<Value> | undefined> {
  const record = await meta.read(codec.kind, key);
  return record && { value: codec.decode(record), version: record.version };
}

export interface RecordWrite<Value> extends Pick<MetaWrite, "expected" | "lifetimeDays"> {
  readonly key: string;
  readonly value: Value;
}

/** Writes the record if its version is `expected`. */
export function writeRecord<Value>(
  meta: MetaStore,
  codec: RecordCodec<Value>,
  { key, value, ...written }: RecordWrite<Value>,
): Promise<MetaWriteOutcome> {
  return meta.write(codec.kind, key, { value: codec.encode(value), ...written });
}

export interface KeyedRecord<Value> extends StoredRecord<Value> {
  readonly key: string;
}

/** All records whose keys begin with `prefix`, in order of key. Throws {@link InvalidRecordError}. */
export async function* listDecoded<Value>(
  meta: MetaStore,
  codec: RecordCodec<Value>,
  prefix: string,
): AsyncGenerator<KeyedRecord<Value>> {
  for await (const record of listRecords(meta, codec.kind, { prefix })) {
    yield { key: record.key, value: codec.decode(record), version: record.version };
  }
}

/** Caches the decoded values of recent texts. Equal texts share one value, which callers must not change. */
export class DecodedTexts<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** `maxCharacters` bounds the texts together. A longer text is decoded every time. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** The value of `text`. If `decode` throws, nothing is remembered. */
  of(text: string, decode: () => Value): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = decode();
    if (text.length <= this.#maxCharacters) this.#keep(text, value);
    return value;
  }

  /** Forgets the oldest texts until the new one fits. */
  #keep(text: string, value: Value): void {
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
    this.#values.set(text, value);
  }
}
