import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { principalIdOf } from "../../ports/principal-id.ts";
import { type ReaderRecord, readerRecord } from "../../ports/records/reader-record.ts";
import { type KeyedRecord, listDecoded, readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { readGrants } from "./grant-text.ts";
import { type Scope, seesNothing } from "./scope.ts";

/** An IAM principal and what it may read. */
export interface Reader {
  readonly principalId: string;
  readonly grants: readonly string[];
  readonly grantedAt?: Instant;
  readonly arn?: string;
}

/** Replaces the grants of a principal. An empty list revokes all access. */
export async function grantReader(
  meta: MetaStore,
  { principalId, grants, arn }: Pick<Reader, "principalId" | "grants" | "arn">,
  now: Instant,
): Promise<"written" | "conflict"> {
  const stored = await meta.read("reader", principalId);
  const value: ReaderRecord =
    grants.length === 0 ? { revokedAt: now } : { grants, grantedAt: now, ...(arn !== undefined && { arn }) };
  const write = { key: principalId, value, expected: stored?.version ?? 0 };
  return (await writeRecord(meta, readerRecord, write)).outcome;
}

/** All principals with grants, by id. */
export async function listReaders(meta: MetaStore): Promise<readonly Reader[]> {
  const readers: Reader[] = [];
  for await (const record of listDecoded(meta, readerRecord, "")) {
    const reader = readReader(record);
    if (reader.grants.length > 0) readers.push(reader);
  }
  return readers;
}

function readReader({ key, value }: KeyedRecord<ReaderRecord>): Reader {
  const { grants = [], grantedAt, arn } = value;
  return { principalId: key, grants, ...(grantedAt !== undefined && { grantedAt }), ...(arn !== undefined && { arn }) };
}

/** The grants of an IAM principal; `undefined` if it has none. */
export async function readerScope(meta: MetaStore, callerId: string): Promise<Scope | undefined> {
  const record = await readRecord(meta, readerRecord, principalIdOf(callerId));
  const { grants = [] } = record?.value ?? {};
  const { scope } = readGrants(grants);
  return seesNothing(scope) ? undefined : scope;
}
