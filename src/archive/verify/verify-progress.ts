import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_VERIFIED_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveVerifiedRecord } from "../../ports/records/archive-verified-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { HOUR_MILLIS, hourBegin, hourOf } from "../layout/archive-hour.ts";
import { compareNames } from "../layout/chain.ts";
import { type ArchiveProblem, type VerifiedLink, verifyOnward } from "./verify-archive.ts";

export interface VerifyRun {
  /** Whether there is time for another link. @default always */
  readonly hasTime?: () => boolean;
}

export interface VerifiedProgress {
  /** The links that this run verified. */
  readonly links: number;
  readonly problems: readonly ArchiveProblem[];
}

/**
 * Reads back the links of the archive that were not verified yet, each with its objects, and records how far it came.
 * Stops at the first link with problems, which the next run checks again.
 */
export async function verifyProgress(
  { store, meta }: { readonly store: ObjectStore; readonly meta: MetaStore },
  { hasTime = () => true }: VerifyRun = {},
): Promise<VerifiedProgress> {
  const begin = await readVerified(meta);
  let links = 0;
  if (!hasTime()) return { links, problems: [] };
  for await (const { link, problems } of verifyOnward(store, begin)) {
    if (problems.length > 0) return { links, problems };
    await recordVerified(meta, link);
    links += 1;
    if (!hasTime()) break;
  }
  return { links, problems: [] };
}

/** Until when the log is archived and verified; `undefined` if no hour is. */
export async function verifiedUntil(meta: MetaStore): Promise<Instant | undefined> {
  const verified = await readVerified(meta);
  return verified && hourBegin(verified.name.hour) + HOUR_MILLIS;
}

async function readVerified(meta: MetaStore): Promise<VerifiedLink | undefined> {
  const stored = await readRecord(meta, archiveVerifiedRecord, ARCHIVE_VERIFIED_KEY);
  return stored && linkOf(stored.value);
}

function linkOf({ kind, beginAt, sha256 }: ReturnType<typeof archiveVerifiedRecord.decode>): VerifiedLink {
  return { name: { kind, hour: hourOf(beginAt) }, sha256 };
}

/** Another archiver may have come further. */
async function recordVerified(meta: MetaStore, { name, sha256 }: VerifiedLink): Promise<void> {
  const stored = await readRecord(meta, archiveVerifiedRecord, ARCHIVE_VERIFIED_KEY);
  if (stored !== undefined && compareNames(linkOf(stored.value).name, name) >= 0) return;
  const value = { kind: name.kind, beginAt: hourBegin(name.hour), sha256 };
  const written = await writeRecord(meta, archiveVerifiedRecord, {
    key: ARCHIVE_VERIFIED_KEY,
    value,
    expected: stored?.version ?? 0,
  });
  if (written.outcome === "conflict") await recordVerified(meta, { name, sha256 });
}
