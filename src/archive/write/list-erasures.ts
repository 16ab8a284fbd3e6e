import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_ERASURES_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveErasuresRecord, type ErasureRecord } from "../../log/erasure/erasure-record.ts";
import { listErasures } from "../../log/erasure/stored-erasures.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import type { ChainLink } from "../layout/chain.ts";
import { ERASURES } from "../layout/erasure-file.ts";
import type { ArchivedObject } from "../layout/manifest.ts";
import { ArchiveErasures, readArchiveErasures, type StoredErasureFile } from "../read/archive-erasures.ts";

export interface ListingPorts {
  readonly meta: MetaStore;
  readonly store: ObjectStore;
}

/**
 * The erasures of an archive that the log also has. A program that can only write to the archive could add an object
 * with the id of an erasure, to hide what it removes.
 */
export async function knownErasures({ meta, store }: ListingPorts): Promise<ArchiveErasures> {
  const all = await readArchiveErasures(store);
  if (all.files.length === 0) return all;
  const records = new Map((await listErasures(meta)).map(({ record }) => [record.id, record]));
  return new ArchiveErasures(all.files.filter((stored) => isKnown(stored, records.get(stored.file.erasure.id))));
}

function isKnown({ key, sha256 }: StoredErasureFile, record: ErasureRecord | undefined): boolean {
  if (record === undefined) return false;
  // A record of an earlier release does not say what the erasure wrote.
  return record.files?.some((file) => file.key === key && file.sha256 === sha256) ?? true;
}

/** The files that record erasures and that no manifest lists yet. The next manifest lists them. */
export async function unlistedErasures({ meta, store }: ListingPorts): Promise<readonly ArchivedObject[]> {
  const { files } = await knownErasures({ meta, store });
  if (files.length === 0) return [];
  const listed = new Set((await readRecord(meta, archiveErasuresRecord, ARCHIVE_ERASURES_KEY))?.value.listed);
  return files.filter(({ key }) => !listed.has(key)).map(({ key, sha256, bytes }) => ({ key, sha256, bytes, rows: 1 }));
}

/** Records which of these files a manifest lists. If the record is lost, the next manifest lists them again. */
export async function noteListed(meta: MetaStore, { manifest }: ChainLink): Promise<void> {
  const keys = manifest.objects.map(({ key }) => key).filter((key) => key.startsWith(ERASURES));
  if (keys.length === 0) return;
  const stored = await readRecord(meta, archiveErasuresRecord, ARCHIVE_ERASURES_KEY);
  const listed = [...new Set([...(stored?.value.listed ?? []), ...keys])].sort();
  await writeRecord(meta, archiveErasuresRecord, {
    key: ARCHIVE_ERASURES_KEY,
    value: { listed },
    expected: stored?.version ?? 0,
  });
}
