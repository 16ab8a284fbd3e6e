import { canonical } from "../../job/model/canonical.ts";
import type { Instant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import type { ReaderRecord } from "./reader.ts";

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
  const record: ReaderRecord =
    grants.length === 0 ? { revokedAt: now } : { grants, grantedAt: now, ...(arn !== undefined && { arn }) };
  return (await meta.write("reader", principalId, canonical(record), stored?.version ?? 0)).outcome;
}

/** All principals with grants, by id. */
export async function listReaders(meta: MetaStore): Promise<readonly Reader[]> {
  const readers: Reader[] = [];
  for await (const record of listRecords(meta, "reader", "")) {
    const reader = readReader(record);
    if (reader.grants.length > 0) readers.push(reader);
  }
  return readers;
}

function readReader({ key, value }: MetaRecord): Reader {
  const { grants = [], grantedAt, arn } = JSON.parse(value) as ReaderRecord;
  return {
    principalId: key,
    grants,
    ...(grantedAt !== undefined && { grantedAt }),
    ...(arn !== undefined && { arn }),
  };
}
